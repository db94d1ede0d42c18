! SPDX-License-Identifier: BSD-3-Clause
!> The command line.
module options
  use gas, only: dp
  implicit none
  private
  public :: options_t, parse_options, usage

  type :: options_t
    integer :: size = 0             !< cells along an edge; 0 when not given
    integer :: steps = 12           !< double time steps
    real(dp) :: imbalance = 0       !< extra work of the last rank
    logical :: verify = .false.
    logical :: help = .false.
    character(:), allocatable :: problem  !< what is wrong with the arguments; not allocated when nothing is
  end type options_t

contains

  type(options_t) function parse_options() result(found)
    character(:), allocatable :: name, text
    integer :: next

    next = 1
    do while (next <= command_argument_count() .and. .not. allocated(found%problem))
      name = argument(next)
      text = argument(next + 1)
      next = next + 2
      select case (name)
      case ("--size")
        found%size = whole(name, text, 4, 4096, found%problem)
      case ("--steps")
        found%steps = whole(name, text, 0, 1000000, found%problem)
      case ("--imbalance")
        found%imbalance = share(name, text, found%problem)
      case ("--verify")
        found%verify = .true.
        next = next - 1
      case ("--help", "-h")
        found%help = .true.
        next = next - 1
      case default
        found%problem = "unknown argument '" // name // "'"
      end select
    end do
  end function parse_options

  subroutine usage(unit)
    integer, intent(in) :: unit
    write (unit, "(a)") &
      "usage: ppm [--size N] [--steps N] [--imbalance F] [--verify]", &
      "Gas dynamics in a periodic cube by the piecewise-parabolic method, with MPI and OpenMP.", &
      "  --size N       cells along an edge (default 64; with --verify along the tube, default 256)", &
      "  --steps N      double time steps, of six sweeps each (default 12)", &
      "  --imbalance F  extra work of the last rank: 0.5 is half as much again (default 0)", &
      "  --verify       compute Sod's shock tube along each axis and compare with the exact solution", &
      "  --help         this text", &
      "Example: mpirun -n 4 ppm --size 64 --steps 10 --imbalance 0.5", &
      "Exit code: 0 when all checks hold, 1 when one fails, 2 for wrong arguments."
  end subroutine usage

  function argument(number) result(text)
    integer, intent(in) :: number
    character(:), allocatable :: text
    integer :: length
    if (number > command_argument_count()) then
      text = ""
      return
    end if
    call get_command_argument(number, length=length)
    allocate(character(length) :: text)
    call get_command_argument(number, text)
  end function argument

  integer function whole(name, text, low, high, problem)
    character(*), intent(in) :: name, text
    integer, intent(in) :: low, high
    character(:), allocatable, intent(inout) :: problem
    character(60) :: limits
    integer :: status
    whole = low
    status = 1
    if (len(text) > 0 .and. verify(text, "0123456789") == 0) read (text, *, iostat=status) whole
    if (status == 0 .and. whole >= low .and. whole <= high) return
    write (limits, "(a, i0, a, i0)") "a whole number from ", low, " to ", high
    problem = name // " needs " // trim(limits) // ", not '" // text // "'"
  end function whole

  real(dp) function share(name, text, problem)
    character(*), intent(in) :: name, text
    character(:), allocatable, intent(inout) :: problem
    integer :: status
    share = -1
    status = 1
    if (len(text) > 0 .and. verify(text, "0123456789.eE+-") == 0) read (text, *, iostat=status) share
    if (status == 0 .and. share >= 0 .and. share <= 100) return
    problem = name // " needs a number from 0 to 100, not '" // text // "'"
  end function share

end module options
