/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes, every blocking collective operation, then the ones in place. */
#include "counts.h"

#define N 3
static const MPI_Comm world = MPI_COMM_WORLD;
static int a[64], b[64];
static const Count counts[N] = {1, 2, 3}, ones[N] = {1, 1, 1};
static const Place places[N] = {0, 4, 8};

static void outOfPlace(int rank) {
    MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Barrier(world);
    MPI_Bcast(a, 2, MPI_INT, 1, world);
    MPI_Gather(a, 2, MPI_INT, b, 2, MPI_INT, 1, world);
    MPI_Gatherv(a, counts[rank], MPI_INT, b, counts, places, MPI_INT, 1, world);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 1, world);
    MPI_Scatterv(a, counts, places, MPI_INT, b, counts[rank], MPI_INT, 1, world);
    MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, world);
    MPI_Allgatherv(a, counts[rank], MPI_INT, b, counts, places, MPI_INT, world);
    MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, world);
    MPI_Alltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, world);
    MPI_Alltoallw(a, ones, places, types, b, ones, places, types, world);
    MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, world);
    MPI_Reduce(a, b, 2, MPI_INT, MPI_SUM, 1, world);
    MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, world);
    MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, world);
    MPI_Scan(a, b, 2, MPI_INT, MPI_SUM, world);
    MPI_Exscan(a, b, 2, MPI_INT, MPI_SUM, world);
}

static void inPlace(int rank) {
    const int isRoot = rank == 1;
    MPI_Gather(isRoot ? MPI_IN_PLACE : a, 2, MPI_INT, b, 2, MPI_INT, 1, world);
    MPI_Gatherv(isRoot ? MPI_IN_PLACE : a, counts[rank], MPI_INT, b, counts, places, MPI_INT, 1, world);
    MPI_Scatter(a, 2, MPI_INT, isRoot ? MPI_IN_PLACE : b, 2, MPI_INT, 1, world);
    MPI_Scatterv(a, counts, places, MPI_INT, isRoot ? MPI_IN_PLACE : b, counts[rank], MPI_INT, 1, world);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, places, MPI_INT, world);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world);
    MPI_Allreduce(MPI_IN_PLACE, b, 2, MPI_DOUBLE, MPI_SUM, world);
    MPI_Reduce(isRoot ? MPI_IN_PLACE : a, b, 2, MPI_INT, MPI_SUM, 1, world);
    MPI_Reduce_scatter(MPI_IN_PLACE, b, counts, MPI_INT, MPI_SUM, world);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, world);
    MPI_Scan(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, world);
}

static void groups(int rank) {
    MPI_Comm half, copy, between;
    int isHigh = rank > 0;
    MPI_Comm_split(world, isHigh, rank, &half);
    MPI_Comm_dup(half, &copy);
    MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, copy);
    MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Intercomm_create(half, 0, world, isHigh ? 0 : 1, 1, &between);
    MPI_Barrier(between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    outOfPlace(rank);
    inPlace(rank);
    groups(rank);
    MPI_Finalize();
    return 0;
}
