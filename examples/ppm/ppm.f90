! SPDX-License-Identifier: BSD-3-Clause
!> Three-dimensional gas dynamics by a piecewise-parabolic method on a uniform mesh: blocks over MPI processes,
!> OpenMP threads inside, as the sPPM benchmark has them.
program ppm
  use mpi
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use omp_lib, only: omp_get_max_threads
  use gas, only: dp, ghosts
  use options, only: options_t, parse_options, usage
  use blocks, only: block_t, make_block, free_block
  use initial_state, only: init
  use hydrodynamics, only: runhyd
  use totals, only: conserved_t, conserved, checksum
  use verification, only: verify_tubes
  implicit none

  !> Relative change of mass and energy that rounding may cause.
  real(dp), parameter :: rounding = 1.0e-12_dp
  type(options_t) :: chosen
  integer :: rank, provided, ierr

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  chosen = parse_options()
  if (allocated(chosen%problem)) then
    if (rank == 0) write (error_unit, "(a)") "ppm: " // chosen%problem // " (see ppm --help)"
    call finish(2)
  else if (chosen%help) then
    if (rank == 0) call usage(output_unit)
    call finish(0)
  else if (chosen%verify) then
    call finish(merge(0, 1, verify_tubes(merge(chosen%size, 256, chosen%size > 0))))
  else
    call finish(simulate(merge(chosen%size, 64, chosen%size > 0)))
  end if

contains

  !> The run itself; its result is the exit code. Collective.
  integer function simulate(size) result(code)
    integer, intent(in) :: size
    type(block_t) :: mine
    type(conserved_t) :: before, after
    real(dp), allocatable :: u(:, :, :, :)
    real(dp) :: began, seconds
    logical :: fits

    call make_block([size, size, size], [0, 0, 0], 1.0_dp / size, mine, fits)
    if (.not. fits) then
      if (mine%rank == 0) write (error_unit, "(a, i0, a)") "ppm: --size must be at least ", &
        ghosts * maxval(mine%dims), " for so many processes"
      code = 2
      return
    end if
    call init(mine, u)
    before = conserved(mine, u)
    began = MPI_Wtime()
    call runhyd(mine, u, chosen%steps, huge(1.0_dp), merge(chosen%imbalance, 0.0_dp, mine%rank == mine%ranks - 1))
    seconds = MPI_Wtime() - began
    after = conserved(mine, u)
    code = report(mine, before, after, checksum(mine, u), seconds)
    call free_block(mine)
  end function simulate

  !> Prints what came out; 1 when mass or energy is not what it was.
  integer function report(mine, before, after, sum_of_bits, seconds) result(code)
    use gas, only: i8
    type(block_t), intent(in) :: mine
    type(conserved_t), intent(in) :: before, after
    integer(i8), intent(in) :: sum_of_bits
    real(dp), intent(in) :: seconds
    logical :: good

    good = abs(after%mass - before%mass) <= rounding * before%mass .and. &
           abs(after%energy - before%energy) <= rounding * before%energy
    code = merge(0, 1, good)
    if (mine%rank /= 0) return
    print "(a, 3(i0, a), 3(i0, a), i0, a, i0, a)", "ppm: ", mine%cells(1), " x ", mine%cells(2), " x ", mine%cells(3), &
      " cells on ", mine%dims(1), " x ", mine%dims(2), " x ", mine%dims(3), " processes of ", omp_get_max_threads(), &
      " threads, ", chosen%steps, " double steps"
    print "(a, es22.15, a, es9.2)", "mass      ", after%mass, "  relative change ", (after%mass - before%mass) / before%mass
    print "(a, es22.15, a, es9.2)", "energy    ", after%energy, "  relative change ", &
      (after%energy - before%energy) / before%energy
    print "(a, z16.16)", "checksum  ", sum_of_bits
    print "(a, f6.3, a)", "runhyd    ", seconds, " s"
    if (.not. good) write (error_unit, "(a)") "ppm: mass or energy is not conserved"
  end function report

  subroutine finish(code)
    integer, intent(in) :: code
    call MPI_Finalize(ierr)
    stop code, quiet=.true.
  end subroutine finish

end program ppm
