! SPDX-License-Identifier: BSD-3-Clause
!> Page faults of two parts of a program, which it counts itself.
program own_counters
  use holos_counters
  implicit none
  type(holos_counter_set) :: counters
  type(holos_rate) :: rate
  integer(holos_count) :: faults(1), sums(1)
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
  call holos_counters_stop(counters, faults, ok)
  call check()

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

  subroutine check()
    if (ok) return
    print '(a)', holos_counters_error()
    stop 1
  end subroutine check

end program own_counters
