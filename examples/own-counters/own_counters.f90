! SPDX-License-Identifier: BSD-3-Clause
!> What is called at a threshold.
module handled
  use, intrinsic :: iso_c_binding, only: c_ptr, c_associated
  implicit none
  integer, volatile :: calls = 0
contains
  subroutine count_call(address, data) bind(c)
    type(c_ptr), value :: address, data
    if (c_associated(address) .or. .not. c_associated(data)) calls = calls + 1
  end subroutine count_call
end module handled

!> Page faults of two parts of a program, which it counts itself.
program own_counters
  use holos_counters
  use handled, only: calls, count_call
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  implicit none
  type(holos_counter_set) :: counters
  type(holos_counter_threshold) :: threshold
  type(holos_rate) :: rate
  integer(holos_count) :: faults(1), sums(1), two(2)
  logical :: ok
  integer :: round

  call holos_counters_start(counters, 'ru_minflt', ok)
  call check()
  call touch_memory()
  call holos_counters_read(counters, faults, ok)
  call check()
  print '(a, i0, a)', 'first part: ', faults(1), ' page faults'

  call holos_counters_accumulate(counters, faults, ok)  ! counts on from 0
  call check()
  sums = 0
  do round = 1, 3
     call touch_memory()
     call holos_counters_accumulate(counters, sums, ok)
     call check()
  end do
  print '(a, i0, a)', 'three rounds: ', sums(1), ' page faults'

  call holos_counters_add(counters, 'ru_nvcsw', ok)
  call check()
  call holos_counters_write(counters, [5000_holos_count, 0_holos_count], ok)
  call check()
  call touch_memory()
  call holos_counters_read(counters, two, ok)
  call check()
  print '(a, i0, a)', 'on from 5000: ', two(1), ' page faults'
  call holos_counters_remove(counters, 'ru_nvcsw', ok)
  call check()
  call holos_counters_stop(counters, faults, ok)
  call check()

  call holos_counters_threshold_start(threshold, 'task-clock', 1000000_holos_count, count_call, c_null_ptr, ok)
  if (ok) then
     call compute()
     call holos_counters_threshold_stop(threshold, ok)
     call check()
     print '(a, i0)', 'milliseconds of computation seen: ', calls
  end if

  call holos_rate_of(rate, ok, 'ru_minflt')
  call check()
  call touch_memory()
  call holos_rate_of(rate, ok, 'ru_minflt')
  call check()
  print '(a, f0.0, a)', 'rate: ', rate%rate, ' page faults per second on a processor'
  call holos_rate_stop()

contains

  !> Four megabytes. How many page faults that is depends on the size of pages, and on what the C library keeps of memory
  !> that was given back.
  subroutine touch_memory()
    integer, parameter :: words = 2**20
    integer, allocatable, volatile :: memory(:)
    allocate (memory(words))
    memory = 1
    deallocate (memory)
  end subroutine touch_memory

  subroutine compute()
    real, volatile :: sum
    integer :: i
    sum = 0
    do i = 1, 30000000
       sum = sum + 1.0
    end do
  end subroutine compute

  subroutine check()
    if (ok) return
    print '(a)', holos_counters_error()
    stop 1
  end subroutine check

end program own_counters
