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
  use, intrinsic :: iso_c_binding, only: c_int, c_long_long, c_double, c_ptr, c_funptr, c_char, c_null_char, c_null_ptr, &
       c_associated, c_f_procpointer
  implicit none
  private
  public :: holos_region, holos_begin, holos_end, holos_pause, holos_resume, holos_record, &
       holos_synchronize_clocks

  !> The kind of a region's handle.
  integer, parameter :: holos_region = c_int

  abstract interface
     function define_interface(name, file, line) bind(c) result(region)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*), file(*)
       integer(c_int), value :: line
       integer(c_int) :: region
     end function define_interface
     function metric_interface(name, unit, kind) bind(c) result(metric)
       import :: c_int, c_char
       character(kind=c_char), intent(in) :: name(*), unit(*)
       integer(c_int), value :: kind
       integer(c_int) :: metric
     end function metric_interface
     subroutine integer_interface(metric, value) bind(c)
       import :: c_int, c_long_long
       integer(c_int), value :: metric
       integer(c_long_long), value :: value
     end subroutine integer_interface
     subroutine real_interface(metric, value) bind(c)
       import :: c_int, c_double
       integer(c_int), value :: metric
       real(c_double), value :: value
     end subroutine real_interface
     subroutine plain_interface() bind(c)
     end subroutine plain_interface
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
  procedure(plain_interface), pointer :: pause_thread => null(), resume_thread => null(), compare_clocks => null()
  procedure(metric_interface), pointer :: define_metric => null()
  procedure(integer_interface), pointer :: metric_integer => null()
  procedure(real_interface), pointer :: metric_real => null()

  !> Records a value of the metric `name`, a state such as the length of a queue; with `total` one that grows from
  !> the program's begin. The handle is 0 before the first call.
  interface holos_record
     module procedure record_integer, record_real
  end interface holos_record
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

  !> Records nothing of the calling thread from here to `holos_resume`. Both belong into the same region.
  subroutine holos_pause()
    if (.not. searched) call find_recorder()
    if (associated(leave)) call pause_thread()
  end subroutine holos_pause

  subroutine holos_resume()
    if (associated(leave)) call resume_thread()
  end subroutine holos_resume

  !> Measures how the clocks of all processes differ, once more than at MPI_Init and MPI_Finalize. Called by one thread
  !> of each process of MPI_COMM_WORLD.
  subroutine holos_synchronize_clocks()
    if (.not. searched) call find_recorder()
    if (associated(leave)) call compare_clocks()
  end subroutine holos_synchronize_clocks

  subroutine record_integer(metric, name, value, total)
    integer(holos_region), intent(inout) :: metric
    character(len=*), intent(in) :: name
    integer, intent(in) :: value
    logical, intent(in), optional :: total
    if (is_known(metric, name, 0_c_int, total)) call metric_integer(metric, int(value, c_long_long))
  end subroutine record_integer

  subroutine record_real(metric, name, value, total)
    integer(holos_region), intent(inout) :: metric
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: value
    logical, intent(in), optional :: total
    if (is_known(metric, name, 1_c_int, total)) call metric_real(metric, value)
  end subroutine record_real

  !> Defines the metric at the first call; false without a recorder.
  function is_known(metric, name, kind, total) result(known)
    integer(holos_region), intent(inout) :: metric
    character(len=*), intent(in) :: name
    integer(c_int), intent(in) :: kind
    logical, intent(in), optional :: total
    logical :: known
    integer(c_int), parameter :: bit_of_totals = 1
    integer(c_int) :: full
    if (.not. searched) call find_recorder()
    known = associated(leave)
    if (.not. known .or. metric /= 0) return
    full = kind
    if (present(total)) then
       if (total) full = ibset(kind, bit_of_totals)
    end if
    metric = define_metric(name // c_null_char, c_null_char, full)
  end function is_known

  !> Threads that search at the same time find the same; `leave`, which the others wait for, is set last.
  subroutine find_recorder()
    type(c_funptr) :: found
    found = dlsym(c_null_ptr, 'holos_region_define' // c_null_char)
    if (c_associated(found)) then
       call c_f_procpointer(found, define)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_region_enter' // c_null_char), enter)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_pause' // c_null_char), pause_thread)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_resume' // c_null_char), resume_thread)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_clocks_compare' // c_null_char), compare_clocks)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_metric_define' // c_null_char), define_metric)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_metric_integer' // c_null_char), metric_integer)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_metric_real' // c_null_char), metric_real)
       call c_f_procpointer(dlsym(c_null_ptr, 'holos_region_leave' // c_null_char), leave)
    end if
    searched = .true.
  end subroutine find_recorder

end module holos
