! SPDX-License-Identifier: BSD-3-Clause
!> How the mesh is cut into one block for each process.
module blocks
  use mpi
  use gas, only: dp, ghosts, fields
  implicit none
  private
  public :: block_t, make_block, free_block, new_field

  type :: block_t
    integer :: comm             !< Cartesian communicator, periodic along every axis
    integer :: rank, ranks      !< in `comm`
    integer :: dims(3)          !< processes along each axis
    integer :: cells(3)         !< of the whole mesh
    integer :: first(3)         !< index in the mesh (from 0) of the first own cell
    integer :: n(3)             !< own cells
    integer :: below(3), above(3)  !< ranks of the neighbours
    real(dp) :: dx              !< edge of a cell
  end type block_t

contains

  !> Cuts a mesh. `dims` as for MPI_Dims_create: 0 lets MPI choose. Collective; `fits` is false on every
  !> process when a block would have fewer cells than its neighbours look at.
  subroutine make_block(cells, dims, dx, mine, fits)
    integer, intent(in) :: cells(3), dims(3)
    real(dp), intent(in) :: dx
    type(block_t), intent(out) :: mine
    logical, intent(out) :: fits
    integer :: coords(3), axis, ierr

    call MPI_Comm_size(MPI_COMM_WORLD, mine%ranks, ierr)
    mine%dims = dims
    call MPI_Dims_create(mine%ranks, 3, mine%dims, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, mine%dims, [.true., .true., .true.], .true., mine%comm, ierr)
    call MPI_Comm_rank(mine%comm, mine%rank, ierr)
    call MPI_Cart_coords(mine%comm, mine%rank, 3, coords, ierr)
    do axis = 1, 3
      call MPI_Cart_shift(mine%comm, axis - 1, 1, mine%below(axis), mine%above(axis), ierr)
    end do

    mine%cells = cells
    mine%dx = dx
    mine%first = begin_of(coords)
    mine%n = begin_of(coords + 1) - mine%first
    fits = all(cells / mine%dims >= ghosts)

  contains

    pure function begin_of(place) result(first)
      integer, intent(in) :: place(3)
      integer :: first(3)
      first = int(int(cells, kind(1_8)) * place / mine%dims)
    end function begin_of

  end subroutine make_block

  subroutine free_block(mine)
    type(block_t), intent(inout) :: mine
    integer :: ierr
    call MPI_Comm_free(mine%comm, ierr)
  end subroutine free_block

  !> The conserved fields of a block, with its ghost cells.
  subroutine new_field(mine, u)
    type(block_t), intent(in) :: mine
    real(dp), allocatable, intent(out) :: u(:, :, :, :)
    integer, parameter :: low = 1 - ghosts
    allocate(u(low:mine%n(1) + ghosts, low:mine%n(2) + ghosts, low:mine%n(3) + ghosts, fields), source=0.0_dp)
  end subroutine new_field

end module blocks
