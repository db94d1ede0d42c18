! SPDX-License-Identifier: BSD-3-Clause
!> Marks regions of a Fortran program that `holos record` shall show:
!>
!>     use holos
!>     integer(holos_region), save :: solver = 0
!>     call holos_begin(solver, 'solver')
!>     ...
!>     call holos_end(solver)
!>
!> Compile this file with the program; nothing else is linked. The recorder is found at run time, and without
!> it every call returns at once. Regions of a thread must nest. The handle is 0 before the first call.
module holos
  use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_funptr, c_char, c_null_char, c_null_ptr, &
       c_associated, c_f_procpointer
  implicit none
  private
  public :: holos_region, holos_begin, holos_end

  !> The kind of a region's handle.
  integer, parameter :: holos_region = c_int

  abstract interface
     function define_interface(name, file, line) bind(c) result(region)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*), file(*)
       integer(c_int), value :: line
       integer(c_int) :: region
     end function define_interface
     subroutine event_interface(region) bind(c)
       import :: c_int
       integer(c_int), value :: region
     end subroutine event_interface
  end interface

  interface
     function dlsym(library, name) bind(c, name='dlsym') result(address)
       import :: c_ptr, c_funptr, c_char
       type(c_ptr), value :: library
       character(kind=c_char), intent(in) :: name(*)
       type(c_funptr) :: address
     end function dlsym
  end interface

  procedure(define_interface), pointer :: define => null()
  procedure(event_interface), pointer :: enter => null()
  procedure(event_interface), pointer :: leave => null()
  logical, volatile :: searched = .false.

contains

  !> Enters the region; the first call through `region` defines it by `name`.
  subroutine holos_begin(region, name)
    integer(holos_region), intent(inout) :: region
    character(len=*), intent(in) :: name
    if (.not. searched) call find_recorder()
    if (.not. associated(leave)) return
    if (region == 0) region = define(name // c_null_char, c_null_char, 0_c_int)
    call enter(region)
  end subroutine holos_begin

  !> Leaves the region that `holos_begin` entered last in this thread.
  subroutine holos_end(region)
    integer(holos_region), intent(in) :: region
    if (associated(leave)) call leave(region)
  end subroutine holos_end

  !> Threads that search at the same time find the same; `leave`, which the others wait for, is set last.
  subroutine find_recorder()
    type(c_funptr) :: found
    found = dlsym(c_null_ptr, 'holos_region_define' // c_null_char)
    if (c_associated(found)) then
       call c_f_procpointer(found, define)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_region_enter' // c_null_char), enter)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_region_leave' // c_null_char), leave)
    end if
    searched = .true.
  end subroutine find_recorder

end module holos
