! SPDX-License-Identifier: BSD-3-Clause
!> The time loop.
module hydrodynamics
  use holos, only: holos_region, holos_begin, holos_end
  use gas, only: dp
  use blocks, only: block_t
  use global_maximum, only: glblmax
  use sweeps, only: sweep_x1, sweep_y1, sweep_z1, sweep_z2, sweep_y2, sweep_x2
  implicit none
  private
  public :: runhyd

  !> Share of a cell that the fastest signal may cross in a sweep.
  real(dp), parameter :: courant = 0.6_dp

contains

  !> Takes up to `steps` double time steps, but not beyond the time `until`. `extra` as in the sweeps.
  subroutine runhyd(mine, u, steps, until, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    integer, intent(in) :: steps
    real(dp), intent(in) :: until, extra
    real(dp) :: time, dt
    integer(holos_region), save :: region = 0
    integer :: step

    call holos_begin(region, "runhyd")
    !$omp parallel default(none) shared(mine, u, steps, until, extra) private(step, time, dt)
    step = 0
    time = 0
    do while (step < steps .and. time < until)
      dt = min(courant * mine%dx / glblmax(mine, u), 0.5_dp * (until - time))
      call sweep_x1(mine, u, dt, extra)
      call sweep_y1(mine, u, dt, extra)
      call sweep_z1(mine, u, dt, extra)
      call sweep_z2(mine, u, dt, extra)
      call sweep_y2(mine, u, dt, extra)
      call sweep_x2(mine, u, dt, extra)
      step = step + 1
      time = time + 2 * dt
      !$omp barrier
    end do
    !$omp end parallel
    call holos_end(region)
  end subroutine runhyd

end module hydrodynamics
