/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes, collective operations that a later call completes. */
#include <mpi.h>

static const MPI_Comm world = MPI_COMM_WORLD;
static int a[64], b[64], c[64];

static void persistent(void) {
#if MPI_VERSION >= 4
    MPI_Request request;
    int i;
    MPI_Allreduce_init(a, b, 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request);
    for (i = 0; i < 2; ++i) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Bcast_c(a, 2, MPI_INT, 1, world);
    MPI_Isendrecv(a, 3, MPI_INT, 0, 7, b, 3, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

int main(int argc, char** argv) {
    MPI_Request q[2];
    int flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Ibarrier(world, &q[0]);
    while (!flag) MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE);
    MPI_Ibcast(a, 2, MPI_INT, 1, world, &q[0]);
    MPI_Iallreduce(b, c, 2, MPI_DOUBLE, MPI_SUM, world, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Iscan(a, c, 2, MPI_INT, MPI_SUM, world, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    persistent();
    MPI_Finalize();
    return 0;
}
