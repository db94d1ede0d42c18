! SPDX-License-Identifier: BSD-3-Clause
!> The state of the gas at the start.
module initial_state
  use holos, only: holos_region, holos_begin, holos_end
  use gas, only: dp, ghosts, density, momentum, energy, total_energy
  use blocks, only: block_t, new_field
  implicit none
  private
  public :: init, init_tube

  real(dp), parameter :: pi = acos(-1.0_dp)

contains

  !> A hot ball in the middle of a cube whose density varies smoothly, in a slow wind: shocks run outwards.
  subroutine init(mine, u)
    type(block_t), intent(in) :: mine
    real(dp), allocatable, intent(out) :: u(:, :, :, :)
    real(dp), parameter :: wind(3) = [0.2_dp, -0.1_dp, 0.05_dp], radius = 0.15_dp
    real(dp) :: x(3), rho, p
    integer(holos_region), save :: region = 0
    integer :: i, j, k

    call holos_begin(region, "init")
    call new_field(mine, u)
    do k = 1, mine%n(3)
      do j = 1, mine%n(2)
        do i = 1, mine%n(1)
          x = (mine%first + [i, j, k] - 0.5_dp) * mine%dx
          rho = 1 + 0.2_dp * product(sin(2 * pi * x))
          p = 1 + 9 * exp(-sum((x - 0.5_dp)**2) / radius**2)
          call set_cell(u, [i, j, k], rho, wind, p)
        end do
      end do
    end do
    call holos_end(region)
  end subroutine init

  !> Sod's shock tube along `axis`, twice: the dense gas fills the middle half of the periodic mesh.
  subroutine init_tube(mine, axis, u)
    type(block_t), intent(in) :: mine
    integer, intent(in) :: axis
    real(dp), allocatable, intent(out) :: u(:, :, :, :)
    integer :: at(3), i, j, k

    call new_field(mine, u)
    do k = 1, mine%n(3)
      do j = 1, mine%n(2)
        do i = 1, mine%n(1)
          at = [i, j, k]
          if (abs((mine%first(axis) + at(axis) - 0.5_dp) * mine%dx - 0.5_dp) < 0.25_dp) then
            call set_cell(u, at, 1.0_dp, spread(0.0_dp, 1, 3), 1.0_dp)
          else
            call set_cell(u, at, 0.125_dp, spread(0.0_dp, 1, 3), 0.1_dp)
          end if
        end do
      end do
    end do
  end subroutine init_tube

  subroutine set_cell(u, at, rho, velocity, p)
    real(dp), intent(inout) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: at(3)
    real(dp), intent(in) :: rho, velocity(3), p
    u(at(1), at(2), at(3), density) = rho
    u(at(1), at(2), at(3), momentum) = rho * velocity
    u(at(1), at(2), at(3), energy) = total_energy(rho, sum(velocity**2), p)
  end subroutine set_cell

end module initial_state
