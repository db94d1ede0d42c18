! SPDX-License-Identifier: BSD-3-Clause
!> The exact solution of Sod's shock tube (J. Comput. Phys. 27, 1978): gas at rest, dense on the left of a wall that
!> vanishes at time 0.
module sod
  use gas, only: dp, gamma
  implicit none
  private
  public :: sod_density

  real(dp), parameter :: rho_left = 1, p_left = 1, rho_right = 0.125_dp, p_right = 0.1_dp
  real(dp), parameter :: c_left = sqrt(gamma * p_left / rho_left), c_right = sqrt(gamma * p_right / rho_right)
  real(dp), parameter :: g = (gamma - 1) / (gamma + 1)

contains

  !> Density where distance from the wall over time is `speed`.
  real(dp) function sod_density(speed)
    real(dp), intent(in) :: speed
    real(dp) :: p, u, tail, shock

    call star(p, u)
    tail = u - c_left * (p / p_left)**((gamma - 1) / (2 * gamma))
    shock = c_right * sqrt((gamma + 1) / (2 * gamma) * p / p_right + (gamma - 1) / (2 * gamma))
    if (speed < -c_left) then
      sod_density = rho_left
    else if (speed < tail) then
      sod_density = rho_left * (2 / (gamma + 1) - g * speed / c_left)**(2 / (gamma - 1))
    else if (speed < u) then
      sod_density = rho_left * (p / p_left)**(1 / gamma)
    else if (speed < shock) then
      sod_density = rho_right * (p / p_right + g) / (g * p / p_right + 1)
    else
      sod_density = rho_right
    end if
  end function sod_density

  !> Pressure and velocity between the rarefaction and the shock: where the two waves' velocities agree.
  subroutine star(p, u)
    real(dp), intent(out) :: p, u
    real(dp) :: low, high
    integer :: i
    low = p_right
    high = p_left
    do i = 1, 60
      p = 0.5_dp * (low + high)
      if (behind_shock(p) < behind_rarefaction(p)) then
        low = p
      else
        high = p
      end if
    end do
    u = behind_shock(p)
  end subroutine star

  pure real(dp) function behind_shock(p)
    real(dp), intent(in) :: p
    behind_shock = (p - p_right) * sqrt(2 / ((gamma + 1) * rho_right) / (p + g * p_right))
  end function behind_shock

  pure real(dp) function behind_rarefaction(p)
    real(dp), intent(in) :: p
    behind_rarefaction = 2 * c_left / (gamma - 1) * (1 - (p / p_left)**((gamma - 1) / (2 * gamma)))
  end function behind_rarefaction

end module sod
