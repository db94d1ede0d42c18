/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes in two groups, {2, 1} and {0}: messages and collective operations from one to the other. */
#include <mpi.h>

static int a[8], b[8];

static void messages(int isAlone, int rank, MPI_Comm between) {
    MPI_Request request;
    if (isAlone) {
        MPI_Send(a, 3, MPI_INT, 1, 7, between); /* to rank 1 of the other group: that of the world */
        MPI_Irecv(b, 8, MPI_INT, MPI_ANY_SOURCE, 8, between, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(b, 8, MPI_INT, 0, 7, between, MPI_STATUS_IGNORE);
        MPI_Send(a, 4, MPI_INT, 0, 8, between);
    }
}

/* The root is the process that is alone; of the other group, its rank 1. */
static void collectives(int isAlone, int rank, MPI_Comm between) {
    const int counts[2] = {2, 1}, places[2] = {0, 2};
    const int fromAlone = isAlone ? MPI_ROOT : 0;
    const int fromOther = isAlone ? 1 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Request request;
    MPI_Barrier(between);
    MPI_Bcast(a, 2, MPI_INT, fromAlone, between);
    MPI_Bcast(a, 2, MPI_INT, fromOther, between);
    MPI_Gatherv(a, isAlone ? 0 : counts[rank == 1], MPI_INT, b, counts, places, MPI_INT, fromAlone, between);
    MPI_Reduce(a, b, 2, MPI_INT, MPI_SUM, fromOther, between);
    MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, between);
    MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, between);
    MPI_Ibcast(a, 3, MPI_INT, fromAlone, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int rank, isAlone;
    MPI_Comm group, between, copy, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    isAlone = rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, isAlone, -rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, isAlone ? 2 : 0, 1, &between);
    MPI_Comm_dup(between, &copy);
    messages(isAlone, rank, between);
    collectives(isAlone, rank, copy);
    MPI_Intercomm_merge(between, isAlone, &all);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
