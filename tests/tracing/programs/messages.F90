! SPDX-License-Identifier: BSD-3-Clause
! Two processes. Built once with `use mpi` and once with `use mpi_f08`: both must record the same.
#ifdef WITH_F08
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define STATUS_TYPE type(MPI_Status)
#define STATUS_SHAPE
#else
#define REQUEST integer
#define COMM integer
#define STATUS_TYPE integer
#define STATUS_SHAPE (MPI_STATUS_SIZE)
#endif
program messages
#ifdef WITH_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: ierr, rank, i, idx
  REQUEST :: req(4)
  COMM :: newc
  STATUS_TYPE :: st STATUS_SHAPE
  real(8) :: x(10), y(10)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
     call MPI_Send(x, 10, MPI_DOUBLE_PRECISION, 1, 5, MPI_COMM_WORLD, ierr)
     call MPI_Recv(y, 10, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
     call MPI_Recv(y, 10, MPI_DOUBLE_PRECISION, 0, 5, MPI_COMM_WORLD, st, ierr)
     call MPI_Send(x, 7, MPI_DOUBLE_PRECISION, 0, 6, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Irecv(y, 10, MPI_DOUBLE_PRECISION, 1-rank, 1, MPI_COMM_WORLD, req(1), ierr)
  call MPI_Irecv(y, 10, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, req(2), ierr)
  call MPI_Isend(x, 3, MPI_DOUBLE_PRECISION, 1-rank, 1, MPI_COMM_WORLD, req(3), ierr)
  call MPI_Isend(x, 3, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, req(4), ierr)
  call MPI_Waitall(4, req, MPI_STATUSES_IGNORE, ierr)
  call MPI_Irecv(y, 10, MPI_DOUBLE_PRECISION, 1-rank, 1, MPI_COMM_WORLD, req(1), ierr)
  call MPI_Isend(x, 3, MPI_DOUBLE_PRECISION, 1-rank, 1, MPI_COMM_WORLD, req(2), ierr)
  do i=1,2
    call MPI_Waitany(2, req, idx, st, ierr)
  end do
  call MPI_Allreduce(MPI_IN_PLACE, x, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, newc, ierr)
  call MPI_Sendrecv(x, 2, MPI_INTEGER, 1-rank, 9, y, 2, MPI_INTEGER, 1-rank, 9, newc, MPI_STATUS_IGNORE, ierr)
  call MPI_Bcast(x, 10, MPI_DOUBLE_PRECISION, 0, newc, ierr)
  call MPI_Comm_free(newc, ierr)
  call MPI_Finalize(ierr)
end program messages
