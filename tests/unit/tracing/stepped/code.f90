! SPDX-License-Identifier: BSD-3-Clause
! Procedures of Fortran: within others, recursive ones, with arrays of their own, and its library.
module forms
  implicit none
contains
  recursive function power(n) result(value)
    integer, intent(in) :: n
    integer :: value
    if (n == 0) then
      value = 1
    else
      value = 2 * power(n - 1)
    end if
  end function

  subroutine withArrays(n, total)
    integer, intent(in) :: n
    real(8), intent(out) :: total
    real(8) :: own(n, n)
    real(8), allocatable :: other(:, :)
    integer :: i
    own = 1.5d0
    allocate (other(n, n))
    do i = 1, n
      other(:, i) = own(i, :) + i
      call add(i)
    end do
    total = sum(matmul(own, other))
    deallocate (other)
  contains
    subroutine add(i)
      integer, intent(in) :: i
      other(i, i) = other(i, i) + n + power(i)
    end subroutine
  end subroutine

  subroutine withText(total)
    real(8), intent(in) :: total
    character(len=40) :: text
    write (text, '(F12.3)') total
    if (len_trim('x' // text) == 0) stop 1
  end subroutine
end module

subroutine stepped() bind(c)
  use forms
  implicit none
  real(8) :: total
  call withArrays(4, total)
  call withText(total)
end subroutine
