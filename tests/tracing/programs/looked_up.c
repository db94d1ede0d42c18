/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes exchange messages, and call nothing of MPI by its name where LOOK_UP is defined. */
#include "look_up.h"

#ifdef LOOK_UP
#define MPI_Init LOOK_UP_AS(MPI_Init)
#define MPI_Comm_rank LOOK_UP_AS(MPI_Comm_rank)
#define MPI_Send LOOK_UP_AS(MPI_Send)
#define MPI_Recv LOOK_UP_AS(MPI_Recv)
#define MPI_Isend LOOK_UP_AS(MPI_Isend)
#define MPI_Irecv LOOK_UP_AS(MPI_Irecv)
#define MPI_Waitall LOOK_UP_AS(MPI_Waitall)
#define MPI_Comm_dup LOOK_UP_AS(MPI_Comm_dup)
#define MPI_Allreduce LOOK_UP_AS(MPI_Allreduce)
#define MPI_Comm_free LOOK_UP_AS(MPI_Comm_free)
#define PMPI_Barrier LOOK_UP_AS(PMPI_Barrier)
#define MPI_Finalize LOOK_UP_AS(MPI_Finalize)
#endif

static int a[10], b[10];

static void exchange(int other, MPI_Comm comm) {
    MPI_Request requests[2];
    MPI_Irecv(b, 10, MPI_INT, other, 2, comm, &requests[0]);
    MPI_Isend(a, 4, MPI_INT, other, 2, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Comm copy;
    openLibrary(argc, argv);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(a, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(b, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    exchange(1 - rank, copy);
    MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, copy);
    PMPI_Barrier(copy); /* the profiling interface is what is not recorded */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
