/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes, every kind of point-to-point call once. Rank 1 answers; rank 0's events are expected by the
 * test. */
#include "counts.h"

static int a[100], b[100];
static const MPI_Comm world = MPI_COMM_WORLD;

static void blocking(int rank) {
    if (rank == 0) {
        MPI_Send(a, 3, MPI_INT, 1, 1, world);
        MPI_Ssend(a, 4, MPI_INT, 1, 2, world);
        MPI_Recv(b, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
        MPI_Send(a, 3, MPI_INT, MPI_PROC_NULL, 1, world);
        MPI_Recv(b, 3, MPI_INT, MPI_PROC_NULL, 1, world, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(b, 3, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
        MPI_Recv(b, 4, MPI_INT, 0, 2, world, MPI_STATUS_IGNORE);
        MPI_Send(a, 5, MPI_DOUBLE, 0, 3, world);
    }
    MPI_Sendrecv(a, 6, MPI_INT, 1 - rank, 4, b, 100, MPI_INT, 1 - rank, 4, world, MPI_STATUS_IGNORE);
}

static void nonblocking(int rank) {
    MPI_Request q[3];
    int index, flag = 0;
    MPI_Irecv(b, 100, MPI_INT, MPI_ANY_SOURCE, 5, world, &q[0]);
    MPI_Irecv(b, 100, MPI_INT, MPI_PROC_NULL, 5, world, &q[1]);
    MPI_Isend(a, 7, MPI_INT, 1 - rank, 5, world, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Irecv(b, 100, MPI_INT, 1 - rank, 6, world, &q[0]);
    MPI_Send(a, 8, MPI_INT, 1 - rank, 6, world);
    MPI_Waitany(1, q, &index, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Irecv(b, 1, MPI_INT, 1, 7, world, &q[0]); /* nobody sends it */
        MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE);
        MPI_Cancel(&q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    }
}

static void persistent(int rank) {
    MPI_Request q[2];
    int i;
    MPI_Recv_init(b, 100, MPI_INT, 1 - rank, 8, world, &q[0]);
    MPI_Ssend_init(a, 9, MPI_INT, 1 - rank, 8, world, &q[1]);
    for (i = 0; i < 2; ++i) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void matched(int rank) {
    MPI_Message message;
    MPI_Comm pair;
    MPI_Comm_split(world, 0, -rank, &pair); /* other ranks than in the world: 1 is 0 */
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 9, pair, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(b, 100, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(a, 10, MPI_INT, 1, 9, pair);
    }
    MPI_Comm_free(&pair);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    blocking(rank);
    nonblocking(rank);
    persistent(rank);
    matched(rank);
    MPI_Finalize();
    return 0;
}
