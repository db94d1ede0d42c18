! SPDX-License-Identifier: BSD-3-Clause
!> The gas: kinds of numbers, the fields in which it is stored, and its equation of state.
module gas
  use, intrinsic :: iso_fortran_env, only: dp => real64, i8 => int64
  implicit none
  private
  public :: dp, i8

  !> Conserved fields, per volume, in the last dimension of a block's array.
  integer, parameter, public :: fields = 5
  integer, parameter, public :: density = 1, momentum(3) = [2, 3, 4], energy = 5

  !> Primitive fields of a pencil: density, the velocity along it and the two across, pressure.
  integer, parameter, public :: prim_density = 1, prim_along = 2, prim_across(2) = [3, 4], prim_pressure = 5

  !> Ratio of specific heats.
  real(dp), parameter, public :: gamma = 1.4_dp

  !> Cells beside a block or pencil that the method looks at.
  integer, parameter, public :: ghosts = 4

  public :: pressure, total_energy

contains

  !> Pressure from density, squared momentum and total energy.
  elemental real(dp) function pressure(rho, momentum_squared, total)
    real(dp), intent(in) :: rho, momentum_squared, total
    pressure = (gamma - 1) * (total - 0.5_dp * momentum_squared / rho)
  end function pressure

  !> Total energy from density, squared velocity and pressure.
  elemental real(dp) function total_energy(rho, velocity_squared, p)
    real(dp), intent(in) :: rho, velocity_squared, p
    total_energy = p / (gamma - 1) + 0.5_dp * rho * velocity_squared
  end function total_energy

end module gas
