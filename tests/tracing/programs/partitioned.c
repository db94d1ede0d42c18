/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes and a message in four partitions, which the receiver takes as two; twice. */
#include <mpi.h>

static int a[16];

static void send(void) {
    int rest = 3;
    MPI_Request q;
    int i;
    MPI_Psend_init(a, 4, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    for (i = 0; i < 2; ++i) {
        MPI_Start(&q);
        MPI_Pready(2, q);
        MPI_Pready_range(0, 1, q);
        MPI_Pready_list(1, &rest, q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q);
}

static void receive(void) {
    MPI_Request q;
    int i, arrived;
    MPI_Precv_init(a, 2, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    for (i = 0; i < 2; ++i) {
        MPI_Start(&q);
        MPI_Parrived(q, 1, &arrived);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send();
    else
        receive();
    MPI_Finalize();
    return 0;
}
