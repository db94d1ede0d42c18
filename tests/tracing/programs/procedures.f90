! SPDX-License-Identifier: BSD-3-Clause
! Procedures of a module, by themselves, and inside of another one.
module solver
contains
  subroutine step()
    call relax()
  contains
    subroutine relax()
    end subroutine relax
  end subroutine step
end module solver

subroutine outside()
end subroutine outside

program procedures
  use solver
  call step()
  call outside()
end program procedures
