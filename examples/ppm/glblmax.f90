! SPDX-License-Identifier: BSD-3-Clause
!> The fastest signal in the whole mesh, which limits the time step.
module global_maximum
  use mpi
  use holos, only: holos_region, holos_begin, holos_end
  use gas, only: dp, gamma, ghosts, density, momentum, energy, pressure
  use blocks, only: block_t
  implicit none
  private
  public :: glblmax

  real(dp), save :: own_speed, speed  ! shared by the threads of a team

contains

  !> Called by all threads of a team on all processes; all get the same value.
  real(dp) function glblmax(mine, u)
    type(block_t), intent(in) :: mine
    real(dp), intent(in) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer(holos_region), save :: region = 0
    integer :: i, j, k, ierr

    call holos_begin(region, "glblmax")
    !$omp master
    own_speed = 0
    !$omp end master
    !$omp barrier
    !$omp do schedule(static) reduction(max: own_speed)
    do k = 1, mine%n(3)
      do j = 1, mine%n(2)
        do i = 1, mine%n(1)
          own_speed = max(own_speed, signal_speed(u(i, j, k, :)))
        end do
      end do
    end do
    !$omp end do
    !$omp master
    call MPI_Allreduce(own_speed, speed, 1, MPI_DOUBLE_PRECISION, MPI_MAX, mine%comm, ierr)
    !$omp end master
    !$omp barrier
    glblmax = speed
    call holos_end(region)
  end function glblmax

  !> Along the axis where the gas is fastest.
  pure real(dp) function signal_speed(cell)
    real(dp), intent(in) :: cell(:)
    signal_speed = maxval(abs(cell(momentum))) / cell(density) &
      + sqrt(gamma * pressure(cell(density), sum(cell(momentum)**2), cell(energy)) / cell(density))
  end function signal_speed

end module global_maximum
