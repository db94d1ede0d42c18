! SPDX-License-Identifier: BSD-3-Clause
!> Parabolic profiles inside the cells of a pencil (Colella & Woodward, J. Comput. Phys. 54, 1984, section 1).
module parabola
  use gas, only: dp, prim_along, prim_pressure
  implicit none
  private
  public :: fit_parabolas, flattening

contains

  !> Edge values of a monotone parabola in each cell. `a` is given in `first - 2 : last + 2`; `left` and
  !> `right` are set in `first : last`. `flat` is 1 where the profile is used as it is and 0 where it is
  !> made constant.
  pure subroutine fit_parabolas(first, last, a, flat, left, right)
    integer, intent(in) :: first, last
    real(dp), intent(in) :: a(first - 2:last + 2), flat(first:last)
    real(dp), intent(out) :: left(first:last), right(first:last)
    real(dp) :: slope(first - 1:last + 1), edge(first - 1:last)
    real(dp) :: below, above, centre, curve, jump
    integer :: i

    do i = first - 1, last + 1
      below = a(i) - a(i - 1)
      above = a(i + 1) - a(i)
      centre = 0.5_dp * (below + above)
      slope(i) = merge(sign(min(abs(centre), 2 * abs(below), 2 * abs(above)), centre), 0.0_dp, below * above > 0)
    end do
    do i = first - 1, last
      edge(i) = 0.5_dp * (a(i) + a(i + 1)) - (slope(i + 1) - slope(i)) / 6
    end do
    do i = first, last
      left(i) = a(i) + flat(i) * (edge(i - 1) - a(i))
      right(i) = a(i) + flat(i) * (edge(i) - a(i))
      jump = right(i) - left(i)
      curve = 6 * (a(i) - 0.5_dp * (left(i) + right(i)))
      if ((right(i) - a(i)) * (a(i) - left(i)) <= 0) then
        left(i) = a(i)
        right(i) = a(i)
      else if (jump * curve > jump**2) then
        left(i) = 3 * a(i) - 2 * right(i)
      else if (-jump**2 > jump * curve) then
        right(i) = 3 * a(i) - 2 * left(i)
      end if
    end do
  end subroutine fit_parabolas

  !> 1 in smooth flow, towards 0 inside a shock that is too steep for a parabola (appendix A). `q` is given in
  !> `first - 3 : last + 3`.
  pure subroutine flattening(first, last, q, flat)
    integer, intent(in) :: first, last
    real(dp), intent(in) :: q(first - 3:last + 3, *)
    real(dp), intent(out) :: flat(first:last)
    real(dp) :: own(first - 1:last + 1), jump, wide, steepness
    integer :: i

    do i = first - 1, last + 1
      jump = q(i + 1, prim_pressure) - q(i - 1, prim_pressure)
      wide = q(i + 2, prim_pressure) - q(i - 2, prim_pressure)
      steepness = merge(jump / sign(max(abs(wide), tiny(wide)), wide), 0.0_dp, abs(wide) > 0)
      own(i) = 1 - min(1.0_dp, max(0.0_dp, 10 * (steepness - 0.75_dp)))
      if (abs(jump) <= min(q(i + 1, prim_pressure), q(i - 1, prim_pressure)) / 3 &
          .or. q(i - 1, prim_along) <= q(i + 1, prim_along)) own(i) = 1
    end do
    do i = first, last
      flat(i) = min(own(i - 1), own(i), own(i + 1))
    end do
  end subroutine flattening

end module parabola
