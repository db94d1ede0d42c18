! SPDX-License-Identifier: BSD-3-Clause
!> Sums over the mesh that show whether a run computed what it should. They are the same, bit for bit, in every run
!> with the same blocks.
module totals
  use mpi
  use gas, only: dp, i8, ghosts, density, energy
  use blocks, only: block_t
  implicit none
  private
  public :: conserved_t, conserved, checksum

  type :: conserved_t
    real(dp) :: mass, energy
  end type conserved_t

contains

  !> Mass and energy in the whole mesh. Collective; every process gets them. Summed in the order of ranks.
  type(conserved_t) function conserved(mine, u)
    type(block_t), intent(in) :: mine
    real(dp), intent(in) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    real(dp) :: own(2), each(2, mine%ranks)
    integer :: ierr

    own(1) = sum(u(1:mine%n(1), 1:mine%n(2), 1:mine%n(3), density)) * mine%dx**3
    own(2) = sum(u(1:mine%n(1), 1:mine%n(2), 1:mine%n(3), energy)) * mine%dx**3
    call MPI_Allgather(own, 2, MPI_DOUBLE_PRECISION, each, 2, MPI_DOUBLE_PRECISION, mine%comm, ierr)
    conserved%mass = sum(each(1, :))
    conserved%energy = sum(each(2, :))
  end function conserved

  !> All bits of all fields, each cell's rotated by its place in the mesh. Collective; for rank 0.
  integer(i8) function checksum(mine, u)
    type(block_t), intent(in) :: mine
    real(dp), intent(in) :: u(1 - ghosts:, 1 - ghosts:, 1 - ghosts:, :)
    integer(i8) :: own
    integer :: i, j, k, field, place, ierr

    own = 0
    do field = 1, size(u, 4)
      do k = 1, mine%n(3)
        do j = 1, mine%n(2)
          do i = 1, mine%n(1)
            place = dot_product(mine%first + [i, j, k], [1, 17, 29]) + 11 * field
            own = ieor(own, ishftc(transfer(u(i, j, k, field), own), modulo(place, 64)))
          end do
        end do
      end do
    end do
    checksum = 0
    call MPI_Reduce(own, checksum, 1, MPI_INTEGER8, MPI_BXOR, 0, mine%comm, ierr)
  end function checksum

end module totals
