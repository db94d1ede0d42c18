! SPDX-License-Identifier: BSD-3-Clause
!> Counters that a Fortran program reads itself:
!>
!>     use holos_counters
!>     type(holos_counter_set) :: counters
!>     integer(holos_count) :: values(2)
!>     call holos_counters_start(counters, 'page-faults,task-clock', ok)
!>     ...
!>     call holos_counters_stop(counters, values, ok)
!>
!> Compile this file with the program, and link it with `-lholos-counters`. What each call promises stands in
!> `holos/counters.h`; where one cannot be done, `ok` is false and `holos_counters_error()` says why.
module holos_counters
  use, intrinsic :: iso_c_binding, only: c_int, c_long_long, c_double, c_ptr, c_funptr, c_char, c_null_ptr, c_null_char, &
       c_size_t, c_associated, c_f_pointer, c_funloc
  implicit none
  private
  public :: holos_count, holos_counter_set, holos_rate, holos_counters_start, holos_counters_read, &
       holos_counters_accumulate, holos_counters_write, holos_counters_add, holos_counters_remove, holos_counters_stop, &
       holos_counter_threshold, holos_counters_threshold_start, holos_counters_threshold_stop, holos_counters_share, &
       holos_counters_error, holos_real_time, holos_virtual_time, holos_instructions_per_cycle, &
       holos_flop_rate, holos_rate_of, holos_rate_stop, holos_counters_query, holos_counters_registers, holos_hardware, &
       holos_hardware_info

  !> The kind of a value.
  integer, parameter :: holos_count = c_long_long

  !> Counters that run, of the thread that started them.
  type :: holos_counter_set
     private
     type(c_ptr) :: running = c_null_ptr
  end type holos_counter_set

  !> A threshold of the thread that started it.
  type :: holos_counter_threshold
     private
     type(c_ptr) :: running = c_null_ptr
  end type holos_counter_threshold

  !> What is called at a threshold: where the thread was, and the data of `holos_counters_threshold_start`. It runs in a
  !> signal handler: it may set variables, but print and allocate nothing.
  abstract interface
     subroutine holos_counters_handler(address, data) bind(c)
       import :: c_ptr
       type(c_ptr), value :: address, data
     end subroutine holos_counters_handler
  end interface
  public :: holos_counters_handler

  !> What a rate is made of: `holos/counters.h` describes the parts.
  type, bind(c) :: holos_rate
     real(c_double) :: real_time, virtual_time
     integer(c_long_long) :: events, reference
     real(c_double) :: rate
  end type holos_rate

  !> What the machine is: `holos/counters.h` describes the parts. Texts are of single letters, up to the one that is 0.
  type, bind(c) :: holos_hardware
     character(kind=c_char) :: vendor(32), model(128)
     integer(c_int) :: family, model_number, stepping
     real(c_double) :: megahertz
     integer(c_int) :: processors, cores, sockets, memory_nodes
     integer(c_long_long) :: memory, page
  end type holos_hardware

  interface
     function query_counter(name) bind(c, name='holos_counters_query') result(failed)
       import :: c_char, c_int
       character(kind=c_char), intent(in) :: name(*)
       integer(c_int) :: failed
     end function query_counter
     function ask_hardware(hardware) bind(c, name='holos_hardware_info') result(failed)
       import :: c_int, holos_hardware
       type(holos_hardware), intent(out) :: hardware
       integer(c_int) :: failed
     end function ask_hardware
     !> How many events of the processor can be counted at the same time; -1: none.
     function holos_counters_registers() bind(c, name='holos_counters_registers') result(number)
       import :: c_int
       integer(c_int) :: number
     end function holos_counters_registers
     function start_counting(names) bind(c, name='holos_counters_start') result(counters)
       import :: c_ptr, c_char
       character(kind=c_char), intent(in) :: names(*)
       type(c_ptr) :: counters
     end function start_counting
     function read_counters(counters, values) bind(c, name='holos_counters_read') result(failed)
       import :: c_ptr, c_int, c_long_long
       type(c_ptr), value :: counters
       integer(c_long_long), intent(out) :: values(*)
       integer(c_int) :: failed
     end function read_counters
     function accumulate_counters(counters, values) bind(c, name='holos_counters_accumulate') result(failed)
       import :: c_ptr, c_int, c_long_long
       type(c_ptr), value :: counters
       integer(c_long_long), intent(inout) :: values(*)
       integer(c_int) :: failed
     end function accumulate_counters
     function write_counters(counters, values) bind(c, name='holos_counters_write') result(failed)
       import :: c_ptr, c_int, c_long_long
       type(c_ptr), value :: counters
       integer(c_long_long), intent(in) :: values(*)
       integer(c_int) :: failed
     end function write_counters
     function add_counters(counters, names) bind(c, name='holos_counters_add') result(failed)
       import :: c_ptr, c_char, c_int
       type(c_ptr), value :: counters
       character(kind=c_char), intent(in) :: names(*)
       integer(c_int) :: failed
     end function add_counters
     function remove_counters(counters, names) bind(c, name='holos_counters_remove') result(failed)
       import :: c_ptr, c_char, c_int
       type(c_ptr), value :: counters
       character(kind=c_char), intent(in) :: names(*)
       integer(c_int) :: failed
     end function remove_counters
     function start_threshold(event, threshold, handler, data) bind(c, name='holos_counters_threshold_start') &
          result(started)
       import :: c_ptr, c_funptr, c_char, c_long_long
       character(kind=c_char), intent(in) :: event(*)
       integer(c_long_long), value :: threshold
       type(c_funptr), value :: handler
       type(c_ptr), value :: data
       type(c_ptr) :: started
     end function start_threshold
     function stop_threshold(threshold) bind(c, name='holos_counters_threshold_stop') result(failed)
       import :: c_ptr, c_int
       type(c_ptr), value :: threshold
       integer(c_int) :: failed
     end function stop_threshold
     function stop_counters(counters, values) bind(c, name='holos_counters_stop') result(failed)
       import :: c_ptr, c_int, c_long_long
       type(c_ptr), value :: counters
       integer(c_long_long), intent(out) :: values(*)
       integer(c_int) :: failed
     end function stop_counters
     function share_of_counters(counters) bind(c, name='holos_counters_share') result(share)
       import :: c_ptr, c_double
       type(c_ptr), value :: counters
       real(c_double) :: share
     end function share_of_counters
     function error_of_counters() bind(c, name='holos_counters_error') result(text)
       import :: c_ptr
       type(c_ptr) :: text
     end function error_of_counters
     function text_length(text) bind(c, name='strlen') result(length)
       import :: c_ptr, c_size_t
       type(c_ptr), value :: text
       integer(c_size_t) :: length
     end function text_length
     function rate_of_counters(event, reference, rate) bind(c, name='holos_rate_of') result(failed)
       import :: c_ptr, c_char, c_int, holos_rate
       character(kind=c_char), intent(in) :: event(*)
       character(kind=c_char), intent(in), optional :: reference(*)
       type(holos_rate), intent(out) :: rate
       integer(c_int) :: failed
     end function rate_of_counters
     function per_cycle(rate) bind(c, name='holos_instructions_per_cycle') result(failed)
       import :: c_int, holos_rate
       type(holos_rate), intent(out) :: rate
       integer(c_int) :: failed
     end function per_cycle
     function flops(rate) bind(c, name='holos_flop_rate') result(failed)
       import :: c_int, holos_rate
       type(holos_rate), intent(out) :: rate
       integer(c_int) :: failed
     end function flops

     !> Nanoseconds since some moment in the past, and of the calling thread on a processor.
     function holos_real_time() bind(c, name='holos_real_time') result(time)
       import :: c_long_long
       integer(c_long_long) :: time
     end function holos_real_time
     function holos_virtual_time() bind(c, name='holos_virtual_time') result(time)
       import :: c_long_long
       integer(c_long_long) :: time
     end function holos_virtual_time
     !> Ends counting for the thread's rate.
     subroutine holos_rate_stop() bind(c, name='holos_rate_stop')
     end subroutine holos_rate_stop
  end interface

contains

  !> Whether a counter can be counted here by itself.
  subroutine holos_counters_query(name, ok)
    character(len=*), intent(in) :: name
    logical, intent(out) :: ok
    ok = query_counter(trim(name) // c_null_char) == 0
  end subroutine holos_counters_query

  !> What the machine is.
  subroutine holos_hardware_info(hardware, ok)
    type(holos_hardware), intent(out) :: hardware
    logical, intent(out) :: ok
    ok = ask_hardware(hardware) == 0
  end subroutine holos_hardware_info

  !> Starts counting these, separated by commas.
  subroutine holos_counters_start(counters, names, ok)
    type(holos_counter_set), intent(out) :: counters
    character(len=*), intent(in) :: names
    logical, intent(out) :: ok
    counters%running = start_counting(trim(names) // c_null_char)
    ok = c_associated(counters%running)
  end subroutine holos_counters_start

  !> What was counted since the start, or since `holos_counters_accumulate`.
  subroutine holos_counters_read(counters, values, ok)
    type(holos_counter_set), intent(in) :: counters
    integer(holos_count), intent(out) :: values(:)
    logical, intent(out) :: ok
    ok = read_counters(counters%running, values) == 0
  end subroutine holos_counters_read

  !> Adds that to `values`, and counts on from 0.
  subroutine holos_counters_accumulate(counters, values, ok)
    type(holos_counter_set), intent(in) :: counters
    integer(holos_count), intent(inout) :: values(:)
    logical, intent(out) :: ok
    ok = accumulate_counters(counters%running, values) == 0
  end subroutine holos_counters_accumulate

  !> Counts on from these values.
  subroutine holos_counters_write(counters, values, ok)
    type(holos_counter_set), intent(in) :: counters
    integer(holos_count), intent(in) :: values(:)
    logical, intent(out) :: ok
    ok = write_counters(counters%running, values) == 0
  end subroutine holos_counters_write

  !> Counts these as well, behind the others and from 0.
  subroutine holos_counters_add(counters, names, ok)
    type(holos_counter_set), intent(in) :: counters
    character(len=*), intent(in) :: names
    logical, intent(out) :: ok
    ok = add_counters(counters%running, trim(names) // c_null_char) == 0
  end subroutine holos_counters_add

  !> Counts these no longer; the others move up.
  subroutine holos_counters_remove(counters, names, ok)
    type(holos_counter_set), intent(in) :: counters
    character(len=*), intent(in) :: names
    logical, intent(out) :: ok
    ok = remove_counters(counters%running, trim(names) // c_null_char) == 0
  end subroutine holos_counters_remove

  !> Calls `handler` in this thread each time that `every` more of an event have happened in it.
  subroutine holos_counters_threshold_start(threshold, event, every, handler, data, ok)
    type(holos_counter_threshold), intent(out) :: threshold
    character(len=*), intent(in) :: event
    integer(holos_count), intent(in) :: every
    procedure(holos_counters_handler) :: handler
    type(c_ptr), intent(in) :: data
    logical, intent(out) :: ok
    threshold%running = start_threshold(trim(event) // c_null_char, every, c_funloc(handler), data)
    ok = c_associated(threshold%running)
  end subroutine holos_counters_threshold_start

  !> Only in the thread that started it.
  subroutine holos_counters_threshold_stop(threshold, ok)
    type(holos_counter_threshold), intent(inout) :: threshold
    logical, intent(out) :: ok
    ok = stop_threshold(threshold%running) == 0
    threshold%running = c_null_ptr
  end subroutine holos_counters_threshold_stop

  !> Reads for the last time, and ends counting.
  subroutine holos_counters_stop(counters, values, ok)
    type(holos_counter_set), intent(inout) :: counters
    integer(holos_count), intent(out) :: values(:)
    logical, intent(out) :: ok
    ok = stop_counters(counters%running, values) == 0
    counters%running = c_null_ptr
  end subroutine holos_counters_stop

  !> The smallest part of the time in which one of them was counted.
  function holos_counters_share(counters) result(share)
    type(holos_counter_set), intent(in) :: counters
    real(c_double) :: share
    share = share_of_counters(counters%running)
  end function holos_counters_share

  !> Why the last call in this thread failed.
  function holos_counters_error() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: found
    integer :: i
    found = error_of_counters()
    call c_f_pointer(found, letters, [text_length(found)])
    allocate (character(len=size(letters)) :: text)
    do i = 1, size(letters)
       text(i:i) = letters(i)
    end do
  end function holos_counters_error

  !> Any counter by another one, or per second of virtual time without `reference`.
  subroutine holos_rate_of(rate, ok, event, reference)
    type(holos_rate), intent(out) :: rate
    logical, intent(out) :: ok
    character(len=*), intent(in) :: event
    character(len=*), intent(in), optional :: reference
    if (present(reference)) then
       ok = rate_of_counters(trim(event) // c_null_char, trim(reference) // c_null_char, rate) == 0
    else
       ok = rate_of_counters(trim(event) // c_null_char, rate=rate) == 0
    end if
  end subroutine holos_rate_of

  !> Completed instructions per cycle.
  subroutine holos_instructions_per_cycle(rate, ok)
    type(holos_rate), intent(out) :: rate
    logical, intent(out) :: ok
    ok = per_cycle(rate) == 0
  end subroutine holos_instructions_per_cycle

  !> Floating-point operations per second of virtual time.
  subroutine holos_flop_rate(rate, ok)
    type(holos_rate), intent(out) :: rate
    logical, intent(out) :: ok
    ok = flops(rate) == 0
  end subroutine holos_flop_rate

end module holos_counters
