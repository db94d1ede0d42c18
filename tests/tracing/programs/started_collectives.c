/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes: the collective operations of collectives.c in the same order, which a later call
 * completes. */
#include "counts.h"

enum { N = 3, OPERATIONS = 17 };
static const MPI_Comm world = MPI_COMM_WORLD;
static int a[64], b[OPERATIONS][64];
static const Count counts[N] = {1, 2, 3}, ones[N] = {1, 1, 1};
static const Place places[N] = {0, 4, 8}, bytes[N] = {0, 16, 32};
static const MPI_Datatype* types;

static void start(int rank, MPI_Request* q) {
    int(*to)[64] = b;
    MPI_Ibarrier(world, q++);
    MPI_Ibcast(a, 2, MPI_INT, 1, world, q++);
    MPI_Igather(a, 2, MPI_INT, *to++, 2, MPI_INT, 1, world, q++);
    MPI_Igatherv(a, counts[rank], MPI_INT, *to++, counts, places, MPI_INT, 1, world, q++);
    MPI_Iscatter(a, 2, MPI_INT, *to++, 2, MPI_INT, 1, world, q++);
    MPI_Iscatterv(a, counts, places, MPI_INT, *to++, counts[rank], MPI_INT, 1, world, q++);
    MPI_Iallgather(a, 2, MPI_INT, *to++, 2, MPI_INT, world, q++);
    MPI_Iallgatherv(a, counts[rank], MPI_INT, *to++, counts, places, MPI_INT, world, q++);
    MPI_Ialltoall(a, 2, MPI_INT, *to++, 2, MPI_INT, world, q++);
    MPI_Ialltoallv(a, ones, places, MPI_INT, *to++, ones, places, MPI_INT, world, q++);
    MPI_Ialltoallw(a, ones, bytes, types, *to++, ones, bytes, types, world, q++);
    MPI_Iallreduce(a, *to++, 2, MPI_DOUBLE, MPI_SUM, world, q++);
    MPI_Ireduce(a, *to++, 2, MPI_INT, MPI_SUM, 1, world, q++);
    MPI_Ireduce_scatter(a, *to++, counts, MPI_INT, MPI_SUM, world, q++);
    MPI_Ireduce_scatter_block(a, *to++, 2, MPI_INT, MPI_SUM, world, q++);
    MPI_Iscan(a, *to++, 2, MPI_INT, MPI_SUM, world, q++);
    MPI_Iexscan(a, *to++, 2, MPI_INT, MPI_SUM, world, q++);
}

#if MPI_VERSION >= 4
static void prepare(int rank, MPI_Request* q) {
    const MPI_Info none = MPI_INFO_NULL;
    int(*to)[64] = b;
    MPI_Barrier_init(world, none, q++);
    MPI_Bcast_init(a, 2, MPI_INT, 1, world, none, q++);
    MPI_Gather_init(a, 2, MPI_INT, *to++, 2, MPI_INT, 1, world, none, q++);
    MPI_Gatherv_init(a, counts[rank], MPI_INT, *to++, counts, places, MPI_INT, 1, world, none, q++);
    MPI_Scatter_init(a, 2, MPI_INT, *to++, 2, MPI_INT, 1, world, none, q++);
    MPI_Scatterv_init(a, counts, places, MPI_INT, *to++, counts[rank], MPI_INT, 1, world, none, q++);
    MPI_Allgather_init(a, 2, MPI_INT, *to++, 2, MPI_INT, world, none, q++);
    MPI_Allgatherv_init(a, counts[rank], MPI_INT, *to++, counts, places, MPI_INT, world, none, q++);
    MPI_Alltoall_init(a, 2, MPI_INT, *to++, 2, MPI_INT, world, none, q++);
    MPI_Alltoallv_init(a, ones, places, MPI_INT, *to++, ones, places, MPI_INT, world, none, q++);
    MPI_Alltoallw_init(a, ones, bytes, types, *to++, ones, bytes, types, world, none, q++);
    MPI_Allreduce_init(a, *to++, 2, MPI_DOUBLE, MPI_SUM, world, none, q++);
    MPI_Reduce_init(a, *to++, 2, MPI_INT, MPI_SUM, 1, world, none, q++);
    MPI_Reduce_scatter_init(a, *to++, counts, MPI_INT, MPI_SUM, world, none, q++);
    MPI_Reduce_scatter_block_init(a, *to++, 2, MPI_INT, MPI_SUM, world, none, q++);
    MPI_Scan_init(a, *to++, 2, MPI_INT, MPI_SUM, world, none, q++);
    MPI_Exscan_init(a, *to++, 2, MPI_INT, MPI_SUM, world, none, q++);
}
#endif

static void persistent(int rank) {
#if MPI_VERSION >= 4
    enum { BEFORE_SCATTER = 4 }; /* MPICH 4.0 can start a persistent scatter only once */
    MPI_Request q[OPERATIONS];
    int i;
    prepare(rank, q);
    MPI_Startall(OPERATIONS, q);
    MPI_Waitall(OPERATIONS, q, MPI_STATUSES_IGNORE);
    MPI_Startall(BEFORE_SCATTER, q);
    MPI_Waitall(BEFORE_SCATTER, q, MPI_STATUSES_IGNORE);
    for (i = 0; i < OPERATIONS; ++i) MPI_Request_free(&q[i]);
#else
    (void)rank;
#endif
}

int main(int argc, char** argv) {
    const MPI_Datatype ints[N] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Request q[OPERATIONS];
    int rank, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    types = ints;
    start(rank, q);
    MPI_Waitall(OPERATIONS, q, MPI_STATUSES_IGNORE);
    persistent(rank);
    MPI_Ibarrier(world, &q[0]);
    while (!flag) MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
