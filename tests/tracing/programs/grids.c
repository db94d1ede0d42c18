/* SPDX-License-Identifier: BSD-3-Clause */
/* Four processes in a grid of two times two, and in its rows. */
#include <mpi.h>

int main(int argc, char** argv) {
    const int sizes[2] = {2, 2}, periods[2] = {0, 1}, isKept[2] = {0, 1};
    MPI_Comm grid, row;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Cart_sub(grid, isKept, &row);
    MPI_Barrier(row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
