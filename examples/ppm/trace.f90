! SPDX-License-Identifier: BSD-3-Clause
!> The gas that reaches the faces of a pencil's cells during a time step, from either side: averages of the
!> parabolas over the domains of dependence of the three waves (Colella & Woodward, section 3).
module trace
  use gas, only: dp, gamma, fields, prim_density, prim_along, prim_across, prim_pressure
  use parabola, only: fit_parabolas, flattening
  implicit none
  private
  public :: face_states

contains

  !> `q` is given in `-3 : n + 4`; `left(:, i)` and `right(:, i)` are the states on both sides of the face between
  !> cells i and i + 1, for i in `0 : n`.
  pure subroutine face_states(n, dtdx, q, left, right)
    integer, intent(in) :: n
    real(dp), intent(in) :: dtdx, q(-3:n + 4, fields)
    real(dp), intent(out) :: left(fields, 0:n), right(fields, 0:n)
    real(dp) :: flat(0:n + 1), low(0:n + 1, fields), high(0:n + 1, fields)
    integer :: field, i

    call flattening(0, n + 1, q, flat)
    do field = 1, fields
      call fit_parabolas(0, n + 1, q(-2:n + 3, field), flat, low(:, field), high(:, field))
    end do
    do i = 0, n
      left(:, i) = outgoing(1.0_dp, dtdx, q(i, :), low(i, :), high(i, :))
      right(:, i) = outgoing(-1.0_dp, dtdx, q(i + 1, :), high(i + 1, :), low(i + 1, :))
    end do
  end subroutine face_states

  !> What leaves a cell through its face `near` during the step; `far` is the parabola's other edge and `side`
  !> is 1 for the upper face, -1 for the lower.
  pure function outgoing(side, dtdx, q, far, near) result(state)
    real(dp), intent(in) :: side, dtdx, q(fields), far(fields), near(fields)
    real(dp) :: state(fields), fast(fields), middle(fields), slow(fields), jump(fields), u, c, amplitude

    c = sqrt(gamma * q(prim_pressure) / q(prim_density))
    u = side * q(prim_along)
    fast = average(max(0.0_dp, u + c))
    middle = average(max(0.0_dp, u))
    slow = average(max(0.0_dp, u - c))

    ! What the fastest wave brings, corrected by the jumps over the two slower ones as far as they get here.
    state = fast
    if (u > 0) then
      jump = fast - middle
      state(prim_density) = state(prim_density) - (jump(prim_density) - jump(prim_pressure) / c**2)
    end if
    if (u - c > 0) then
      jump = fast - slow
      amplitude = 0.5_dp * (jump(prim_pressure) / c**2 - side * jump(prim_along) * q(prim_density) / c)
      state(prim_density) = state(prim_density) - amplitude
      state(prim_along) = state(prim_along) + side * amplitude * c / q(prim_density)
      state(prim_pressure) = state(prim_pressure) - amplitude * c**2
    end if
    state(prim_across) = middle(prim_across)
    ! A parabola through a vacuum would be worth nothing: the cell's own average is always a gas.
    if (.not. (state(prim_density) > 0 .and. state(prim_pressure) > 0)) state = q

  contains

    !> Mean of the parabolas over the part of the cell next to the face that moves out at `speed`.
    pure function average(speed) result(mean)
      real(dp), intent(in) :: speed
      real(dp) :: mean(fields), part
      part = speed * dtdx
      mean = near - 0.5_dp * part * (near - far - (1 - 2 * part / 3) * (6 * q - 3 * (near + far)))
    end function average

  end function outgoing

end module trace
