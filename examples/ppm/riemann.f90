! SPDX-License-Identifier: BSD-3-Clause
!> Fluxes through a face from the gas on its two sides: the HLLC approximate Riemann solver
!> (Toro, Spruce & Speares, Shock Waves 4, 1994).
module riemann
  use gas, only: dp, gamma, fields, density, momentum, energy, total_energy, &
                 prim_density, prim_along, prim_across, prim_pressure
  implicit none
  private
  public :: face_flux

contains

  !> `left` and `right` are primitive; the flux is of the conserved fields, momentum(1) along the pencil.
  pure function face_flux(left, right) result(flux)
    real(dp), intent(in) :: left(fields), right(fields)
    real(dp) :: flux(fields), slowest, fastest, contact, c_left, c_right, mass_left, mass_right

    c_left = sqrt(gamma * left(prim_pressure) / left(prim_density))
    c_right = sqrt(gamma * right(prim_pressure) / right(prim_density))
    slowest = min(left(prim_along) - c_left, right(prim_along) - c_right)
    fastest = max(left(prim_along) + c_left, right(prim_along) + c_right)
    mass_left = left(prim_density) * (slowest - left(prim_along))
    mass_right = right(prim_density) * (fastest - right(prim_along))
    contact = (right(prim_pressure) - left(prim_pressure) + mass_left * left(prim_along) &
      - mass_right * right(prim_along)) / (mass_left - mass_right)

    if (contact >= 0) then
      flux = side_flux(left, slowest, min(slowest, 0.0_dp))
    else
      flux = side_flux(right, fastest, max(fastest, 0.0_dp))
    end if

  contains

    !> Flux of the undisturbed gas of one side, plus the jump over its acoustic wave where the wave (`speed`) has
    !> crossed the face (`crossed` is 0 where it has not).
    pure function side_flux(q, speed, crossed) result(f)
      real(dp), intent(in) :: q(fields), speed, crossed
      real(dp) :: f(fields), u(fields), star(fields), rho, v

      rho = q(prim_density)
      v = q(prim_along)
      u(density) = rho
      u(momentum(1)) = rho * v
      u(momentum(2:3)) = rho * q(prim_across)
      u(energy) = total_energy(rho, v**2 + sum(q(prim_across)**2), q(prim_pressure))
      f = v * u
      f(momentum(1)) = f(momentum(1)) + q(prim_pressure)
      f(energy) = f(energy) + v * q(prim_pressure)

      star(density) = 1
      star(momentum(1)) = contact
      star(momentum(2:3)) = q(prim_across)
      star(energy) = u(energy) / rho + (contact - v) * (contact + q(prim_pressure) / (rho * (speed - v)))
      star = star * rho * (speed - v) / (speed - contact)
      f = f + crossed * (star - u)
    end function side_flux

  end function face_flux

end module riemann
