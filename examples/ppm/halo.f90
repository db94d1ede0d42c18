! SPDX-License-Identifier: BSD-3-Clause
!> Fills the ghost cells along one axis from the two neighbours.
module halo
  use mpi
  use holos, only: holos_region, holos_begin, holos_end
  use gas, only: dp, ghosts, fields
  use blocks, only: block_t
  implicit none
  private
  public :: exchange_halo

  integer, parameter :: tag_down = 1, tag_up = 2
  real(dp), allocatable, asynchronous, save :: send_down(:), send_up(:), from_above(:), from_below(:)

contains

  !> Called by all threads of a team; the master communicates. No thread leaves before the cells are there.
  subroutine exchange_halo(mine, u, axis)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: axis
    integer(holos_region), save :: region = 0
    call holos_begin(region, "exchange_halo")
    !$omp barrier
    !$omp master
    call swap_layers(mine, u, axis)
    !$omp end master
    !$omp barrier
    call holos_end(region)
  end subroutine exchange_halo

  subroutine swap_layers(mine, u, axis)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: axis
    integer :: requests(4), length, n, ierr

    n = mine%n(axis)
    length = ghosts * fields * product(mine%n) / n
    from_above = spread(0.0_dp, 1, length)
    from_below = from_above
    call MPI_Irecv(from_below, length, MPI_DOUBLE_PRECISION, mine%below(axis), tag_up, mine%comm, requests(1), ierr)
    call MPI_Irecv(from_above, length, MPI_DOUBLE_PRECISION, mine%above(axis), tag_down, mine%comm, requests(2), ierr)
    send_down = layers(1)
    call MPI_Isend(send_down, length, MPI_DOUBLE_PRECISION, mine%below(axis), tag_down, mine%comm, requests(3), ierr)
    send_up = layers(n - ghosts + 1)
    call MPI_Isend(send_up, length, MPI_DOUBLE_PRECISION, mine%above(axis), tag_up, mine%comm, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    call set_layers(1 - ghosts, from_below)
    call set_layers(n + 1, from_above)

  contains

    !> The bounds of `ghosts` layers across the axis, own cells only.
    pure subroutine bounds(first, low, high)
      integer, intent(in) :: first
      integer, intent(out) :: low(3), high(3)
      low = 1
      high = mine%n
      low(axis) = first
      high(axis) = first + ghosts - 1
    end subroutine bounds

    pure function layers(first) result(packed)
      integer, intent(in) :: first
      real(dp) :: packed(length)
      integer :: low(3), high(3)
      call bounds(first, low, high)
      packed = reshape(u(low(1):high(1), low(2):high(2), low(3):high(3), :), [length])
    end function layers

    subroutine set_layers(first, packed)
      integer, intent(in) :: first
      real(dp), intent(in) :: packed(:)
      integer :: low(3), high(3)
      call bounds(first, low, high)
      u(low(1):high(1), low(2):high(2), low(3):high(3), :) = reshape(packed, [high - low + 1, fields])
    end subroutine set_layers

  end subroutine swap_layers

end module halo
