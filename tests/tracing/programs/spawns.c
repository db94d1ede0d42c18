/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rounds: the processes start two others, tell them something by a broadcast, get an answer from each by
 * a message, and add up together in a communicator of all. */
#include <mpi.h>
#include <stdio.h>

static int sumOf(MPI_Comm between, int isChild) {
    MPI_Comm all;
    int one = 1, sum = 0;
    MPI_Intercomm_merge(between, isChild, &all);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    return sum;
}

int main(int argc, char** argv) {
    MPI_Comm between;
    int rank, told = 0, round, child;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&between);
    if (between != MPI_COMM_NULL) {
        MPI_Bcast(&told, 1, MPI_INT, 0, between);
        MPI_Send(&told, 1, MPI_INT, 0, 3, between);
        sumOf(between, 1);
        MPI_Finalize();
        return 0;
    }
    for (round = 0; round < 2; ++round) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
        MPI_Bcast(&round, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
        for (child = 0; rank == 0 && child < 2; ++child)
            MPI_Recv(&told, 1, MPI_INT, child, 3, between, MPI_STATUS_IGNORE);
        printf("met %d\n", sumOf(between, 0));
    }
    MPI_Finalize();
    return 0;
}
