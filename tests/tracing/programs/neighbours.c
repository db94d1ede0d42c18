/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes in a row and in graphs exchange with their neighbours, in each of MPI's ways. */
#include "counts.h"

enum { FORMS = 5 };
static int a[64], b[FORMS][64];
static const Count counts[2] = {1, 2}, reversed[2] = {2, 1}, two[2] = {2, 2}, ones[2] = {1, 1};
static const Place places[2] = {0, 8};
static const MPI_Aint bytes[2] = {0, 32};

/* 0 - 1 - 2: nobody is beyond the ends. To the left goes one integer, and to the right two of them or a
 * double. */
static void blocking(MPI_Comm row, const MPI_Datatype* out, const MPI_Datatype* in) {
    MPI_Neighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, row);
    MPI_Neighbor_allgatherv(a, 2, MPI_INT, b, two, places, MPI_INT, row);
    MPI_Neighbor_alltoall(a, 4, MPI_INT, b, 4, MPI_INT, row);
    MPI_Neighbor_alltoallv(a, counts, places, MPI_INT, b, reversed, places, MPI_INT, row);
    MPI_Neighbor_alltoallw(a, ones, bytes, out, b, ones, bytes, in, row);
}

static void start(MPI_Comm row, const MPI_Datatype* out, const MPI_Datatype* in, MPI_Request* q) {
    MPI_Ineighbor_allgather(a, 3, MPI_INT, b[0], 3, MPI_INT, row, q++);
    MPI_Ineighbor_allgatherv(a, 2, MPI_INT, b[1], two, places, MPI_INT, row, q++);
    MPI_Ineighbor_alltoall(a, 4, MPI_INT, b[2], 4, MPI_INT, row, q++);
    MPI_Ineighbor_alltoallv(a, counts, places, MPI_INT, b[3], reversed, places, MPI_INT, row, q++);
    MPI_Ineighbor_alltoallw(a, ones, bytes, out, b[4], ones, bytes, in, row, q++);
}

#if MPI_VERSION >= 4
static void prepare(MPI_Comm row, const MPI_Datatype* out, const MPI_Datatype* in, MPI_Request* q) {
    const MPI_Info none = MPI_INFO_NULL;
    MPI_Neighbor_allgather_init(a, 3, MPI_INT, b[0], 3, MPI_INT, row, none, q++);
    MPI_Neighbor_allgatherv_init(a, 2, MPI_INT, b[1], two, places, MPI_INT, row, none, q++);
    MPI_Neighbor_alltoall_init(a, 4, MPI_INT, b[2], 4, MPI_INT, row, none, q++);
    MPI_Neighbor_alltoallv_init(a, counts, places, MPI_INT, b[3], reversed, places, MPI_INT, row, none, q++);
    MPI_Neighbor_alltoallw_init(a, ones, bytes, out, b[4], ones, bytes, in, row, none, q++);
}
#endif

static void completedLater(MPI_Comm row, const MPI_Datatype* out, const MPI_Datatype* in) {
    MPI_Request q[FORMS];
    start(row, out, in, q);
    MPI_Waitall(FORMS, q, MPI_STATUSES_IGNORE);
#if MPI_VERSION >= 4
    {
        int i;
        prepare(row, out, in, q);
        for (i = 0; i < 2; ++i) {
            MPI_Startall(FORMS, q);
            MPI_Waitall(FORMS, q, MPI_STATUSES_IGNORE);
        }
        for (i = 0; i < FORMS; ++i) MPI_Request_free(&q[i]);
    }
#endif
}

/* Each gets from the one before in a circle: 0 from 2, 1 from 0, 2 from 1. */
static void graphs(int rank) {
    const int before = (rank + 2) % 3, after = (rank + 1) % 3, indices[3] = {1, 2, 2}, edges[2] = {1, 0};
    MPI_Comm circle, pair;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &circle);
    MPI_Neighbor_alltoall(a, 5, MPI_INT, b, 5, MPI_INT, circle);
    MPI_Comm_free(&circle);
    MPI_Graph_create(MPI_COMM_WORLD, 3, indices, edges, 0, &pair); /* 0 - 1, and 2 alone */
    MPI_Neighbor_allgather(a, 6, MPI_INT, b, 6, MPI_INT, pair);
    MPI_Comm_free(&pair);
}

int main(int argc, char** argv) {
    const int size = 3, isRing = 0;
    const MPI_Datatype out[2] = {MPI_INT, MPI_DOUBLE}, in[2] = {MPI_DOUBLE, MPI_INT};
    int rank;
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &isRing, 0, &row);
    blocking(row, out, in);
    completedLater(row, out, in);
    MPI_Comm_free(&row);
    graphs(rank);
    MPI_Finalize();
    return 0;
}
