! SPDX-License-Identifier: BSD-3-Clause
!> Sod's shock tube along each axis, against the exact solution.
module verification
  use mpi
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use gas, only: dp, ghosts, density
  use blocks, only: block_t, make_block, free_block
  use initial_state, only: init_tube
  use hydrodynamics, only: runhyd
  use sod, only: sod_density
  implicit none
  private
  public :: verify_tubes

  !> The waves of the two walls have not met at this time.
  real(dp), parameter :: end_time = 0.1_dp
  !> Bound for the mean error of the density, in cells: it is about 0.8 at every resolution.
  real(dp), parameter :: tolerance = 1

contains

  !> Collective. False when a tube's error is too large or the blocks would be too thin.
  logical function verify_tubes(cells) result(good)
    integer, intent(in) :: cells
    type(block_t) :: mine
    real(dp), allocatable :: u(:, :, :, :)
    real(dp) :: error
    integer :: axis, mesh(3), dims(3), ierr
    logical :: fits

    good = .true.
    do axis = 1, 3
      mesh = 2 * ghosts
      mesh(axis) = cells
      dims = 1
      dims(axis) = 0
      call make_block(mesh, dims, 1.0_dp / cells, mine, fits)
      if (.not. fits) then
        if (mine%rank == 0) write (error_unit, "(a, i0, a)") "ppm: --size must be at least ", ghosts * mine%ranks, &
          " for a tube on so many processes"
        good = .false.
        return
      end if
      call init_tube(mine, axis, u)
      call runhyd(mine, u, huge(1), end_time, 0.0_dp)
      error = mean_error(mine, u, axis)
      good = good .and. error < tolerance / cells
      if (mine%rank == 0) write (output_unit, "(a, a, a, i0, a, es9.2, a, es9.2, a)") "Sod's tube along ", &
        "xyz"(axis:axis), ", ", cells, " cells: mean error of the density ", error, " (must be below ", tolerance / cells, ")"
      call free_block(mine)
    end do
    call MPI_Bcast(good, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  end function verify_tubes

  real(dp) function mean_error(mine, u, axis)
    type(block_t), intent(in) :: mine
    real(dp), intent(in) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer, intent(in) :: axis
    real(dp) :: own, distance
    integer :: at(3), i, j, k, ierr

    own = 0
    do k = 1, mine%n(3)
      do j = 1, mine%n(2)
        do i = 1, mine%n(1)
          at = [i, j, k]
          distance = abs((mine%first(axis) + at(axis) - 0.5_dp) * mine%dx - 0.5_dp) - 0.25_dp
          own = own + abs(u(i, j, k, density) - sod_density(distance / end_time))
        end do
      end do
    end do
    call MPI_Allreduce(own, mean_error, 1, MPI_DOUBLE_PRECISION, MPI_SUM, mine%comm, ierr)
    mean_error = mean_error / product(real(mine%cells, dp))
  end function mean_error

end module verification
