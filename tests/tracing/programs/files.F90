! SPDX-License-Identifier: BSD-3-Clause
! One process writes a file and reads it; its name is the argument. With mpi_f08 or with mpi.
program files
#ifdef WITH_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef WITH_F08
  type(MPI_File) :: file
  type(MPI_Status) :: status
#else
  integer :: file, status(MPI_STATUS_SIZE)
#endif
  integer :: values(4) = 1, ierror
  integer(MPI_OFFSET_KIND) :: place = 8
  character(len=256) :: name

  call get_command_argument(1, name)
  call MPI_Init(ierror)
  call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  call MPI_File_write(file, values, 4, MPI_INTEGER, status, ierror)
  call MPI_File_seek(file, place, MPI_SEEK_SET, ierror)
  call MPI_File_read(file, values, 2, MPI_INTEGER, status, ierror)
  call MPI_File_close(file, ierror)
  call MPI_File_delete(name, MPI_INFO_NULL, ierror)
  call MPI_Finalize(ierror)
end program files
