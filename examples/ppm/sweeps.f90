! SPDX-License-Identifier: BSD-3-Clause
!> One-dimensional sweeps over the block. Two time steps are six sweeps, x y z and back z y x, so that the error of
!> splitting the axes cancels (Strang, SIAM J. Numer. Anal. 5, 1968). Every thread of a team calls them.
module sweeps
  use holos, only: holos_region, holos_begin, holos_end
  use gas, only: dp, fields, ghosts, density, momentum, energy, pressure, &
                 prim_density, prim_along, prim_across, prim_pressure
  use blocks, only: block_t
  use halo, only: exchange_halo
  use trace, only: face_states
  use riemann, only: face_flux
  implicit none
  private
  public :: sweep_x1, sweep_y1, sweep_z1, sweep_z2, sweep_y2, sweep_x2

contains

  subroutine sweep_x1(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_x1")
    call sweep(mine, u, 1, dt, extra)
    call holos_end(region)
  end subroutine sweep_x1

  subroutine sweep_y1(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_y1")
    call sweep(mine, u, 2, dt, extra)
    call holos_end(region)
  end subroutine sweep_y1

  subroutine sweep_z1(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_z1")
    call sweep(mine, u, 3, dt, extra)
    call holos_end(region)
  end subroutine sweep_z1

  subroutine sweep_z2(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_z2")
    call sweep(mine, u, 3, dt, extra)
    call holos_end(region)
  end subroutine sweep_z2

  subroutine sweep_y2(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_y2")
    call sweep(mine, u, 2, dt, extra)
    call holos_end(region)
  end subroutine sweep_y2

  subroutine sweep_x2(mine, u, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(:, :, :, :)
    real(dp), intent(in) :: dt, extra
    integer(holos_region), save :: region = 0
    call holos_begin(region, "sweep_x2")
    call sweep(mine, u, 1, dt, extra)
    call holos_end(region)
  end subroutine sweep_x2

  !> Advances the block by `dt` along `axis`. `extra` is the share of the pencils whose fluxes are computed once more,
  !> for nothing: more work, same result. Threads leave as they finish.
  subroutine sweep(mine, u, axis, dt, extra)
    type(block_t), intent(in) :: mine
    real(dp), intent(inout) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: axis
    real(dp), intent(in) :: dt, extra
    real(dp) :: pencil(1 - ghosts:mine%n(axis) + ghosts, fields), flux(fields, 0:mine%n(axis)), dtdx
    integer :: across(2), line, repeat

    across = pack([1, 2, 3], [1, 2, 3] /= axis)
    dtdx = dt / mine%dx
    call exchange_halo(mine, u, axis)
    !$omp do schedule(static)
    do line = 0, product(mine%n(across)) - 1
      call gather(u, mine%n, axis, across, line, pencil)
      do repeat = 0, int((line + 1) * extra) - int(line * extra)
        call fluxes(mine%n(axis), dtdx, pencil, flux)
      end do
      call update(u, mine%n, axis, across, line, dtdx, flux)
    end do
    !$omp end do nowait
  end subroutine sweep

  !> Fluxes through all faces of a pencil, momentum(1) along it.
  subroutine fluxes(n, dtdx, pencil, flux)
    integer, intent(in) :: n
    real(dp), intent(in) :: dtdx, pencil(1 - ghosts:n + ghosts, fields)
    real(dp), intent(out) :: flux(fields, 0:n)
    real(dp) :: left(fields, 0:n), right(fields, 0:n)
    integer :: i
    call face_states(n, dtdx, pencil, left, right)
    do i = 0, n
      flux(:, i) = face_flux(left(:, i), right(:, i))
    end do
  end subroutine fluxes

  !> The cell before the first own one of a pencil.
  pure function begin_of(n, across, line) result(cell)
    integer, intent(in) :: n(3), across(2), line
    integer :: cell(3)
    cell = 0
    cell(across(1)) = 1 + mod(line, n(across(1)))
    cell(across(2)) = 1 + line / n(across(1))
  end function begin_of

  !> Primitive fields of a pencil and its ghosts.
  subroutine gather(u, n, axis, across, line, pencil)
    real(dp), intent(in) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: n(3), axis, across(2), line
    real(dp), intent(out) :: pencil(1 - ghosts:n(axis) + ghosts, fields)
    real(dp) :: cell(fields)
    integer :: at(3), begin(3), i

    begin = begin_of(n, across, line)
    at = begin
    do i = 1 - ghosts, n(axis) + ghosts
      at(axis) = begin(axis) + i
      cell = u(at(1), at(2), at(3), :)
      pencil(i, prim_density) = cell(density)
      pencil(i, prim_along) = cell(momentum(axis)) / cell(density)
      pencil(i, prim_across) = cell(momentum(across)) / cell(density)
      pencil(i, prim_pressure) = pressure(cell(density), sum(cell(momentum)**2), cell(energy))
    end do
  end subroutine gather

  !> What flows in through one face and out through the other changes a cell; nothing is lost between cells.
  subroutine update(u, n, axis, across, line, dtdx, flux)
    real(dp), intent(inout) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: n(3), axis, across(2), line
    real(dp), intent(in) :: dtdx, flux(fields, 0:n(axis))
    integer :: at(3), begin(3), order(fields), i

    order(density) = density
    order(momentum(axis)) = momentum(1)
    order(momentum(across)) = momentum(2:3)
    order(energy) = energy
    begin = begin_of(n, across, line)
    at = begin
    do i = 1, n(axis)
      at(axis) = begin(axis) + i
      u(at(1), at(2), at(3), :) = u(at(1), at(2), at(3), :) - dtdx * (flux(order, i) - flux(order, i - 1))
    end do
  end subroutine update

end module sweeps
