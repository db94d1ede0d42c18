! SPDX-License-Identifier: BSD-3-Clause
! Two processes: what message_forms.c, started_collectives.c and one_sided.c do, in Fortran. With mpi_f08 or with mpi.
#ifdef WITH_F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
program forms
#ifdef WITH_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: size = 8
  integer :: a(size) = 1, b(size, 2) = 0, rank, error
  HANDLE(MPI_Request) :: q(2)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call completions()
  call probes()
  call persistent()
  call collectives()
  call window()
  call MPI_Finalize(error)

contains

  subroutine completions()
    integer :: tag, places(2), n, done
    logical :: flag
    if (rank == 1) then
       do tag = 1, 8
          call MPI_Send(a, tag, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, error)
       end do
       return
    end if
    call receive(1)
    done = 0
    do while (done < 2)
       call MPI_Waitsome(2, q, n, places, MPI_STATUSES_IGNORE, error)
       done = done + n
    end do
    call receive(3)
    done = 0
    do while (done < 2)
       call MPI_Testsome(2, q, n, places, MPI_STATUSES_IGNORE, error)
       done = done + n
    end do
    call receive(5)
    done = 0
    do while (done < 2)
       call MPI_Testany(2, q, n, flag, MPI_STATUS_IGNORE, error)
       if (flag) done = done + 1
    end do
    call receive(7)
    flag = .false.
    do while (.not. flag)
       call MPI_Testall(2, q, flag, MPI_STATUSES_IGNORE, error)
    end do
  end subroutine completions

  subroutine receive(tag)
    integer, intent(in) :: tag
    call MPI_Irecv(b(1, 1), size, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, q(1), error)
    call MPI_Irecv(b(1, 2), size, MPI_INTEGER, 1, tag + 1, MPI_COMM_WORLD, q(2), error)
  end subroutine receive

  subroutine probes()
    HANDLE(MPI_Message) :: message
    logical :: flag = .false.
    if (rank == 1) then
       call MPI_Send(a, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
       call MPI_Send(a, 2, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, error)
       return
    end if
    call MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, error)
    call MPI_Mrecv(b, size, MPI_INTEGER, message, MPI_STATUS_IGNORE, error)
    do while (.not. flag)
       call MPI_Improbe(1, 2, MPI_COMM_WORLD, flag, message, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Imrecv(b, size, MPI_INTEGER, message, q(1), error)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, error)
  end subroutine probes

  subroutine persistent()
    integer :: i
    call MPI_Recv_init(b, size, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, q(1), error)
    call MPI_Send_init(a, 3, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, q(2), error)
    do i = 1, 2
       call MPI_Startall(2, q, error)
       call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, error)
    end do
    call MPI_Request_free(q(1), error)
    call MPI_Request_free(q(2), error)
    call MPI_Sendrecv_replace(a, 4, MPI_INTEGER, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine persistent

  subroutine collectives()
    integer :: counts(2) = [1, 2], places(2) = [0, 4]
    HANDLE(MPI_Comm) :: copy
    call MPI_Ibarrier(MPI_COMM_WORLD, q(1), error)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, error)
    call MPI_Iallreduce(a, b, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, q(1), error)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, error)
    call MPI_Allgatherv(a, counts(rank + 1), MPI_INTEGER, b, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call MPI_Comm_idup(MPI_COMM_WORLD, copy, q(1), error)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, error)
    call MPI_Bcast(a, 3, MPI_INTEGER, 1, copy, error)
    call MPI_Comm_free(copy, error)
  end subroutine collectives

  subroutine window()
    HANDLE(MPI_Win) :: win
    integer(MPI_ADDRESS_KIND) :: bytes = 4 * size, place = 0
    call MPI_Win_create(b, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
    call MPI_Win_fence(0, win, error)
    if (rank == 0) call MPI_Put(a, 5, MPI_INTEGER, 1, place, 5, MPI_INTEGER, win, error)
    call MPI_Win_fence(0, win, error)
    call MPI_Win_free(win, error)
  end subroutine window
end program forms
