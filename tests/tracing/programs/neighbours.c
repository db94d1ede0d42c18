/* SPDX-License-Identifier: BSD-3-Clause */
/* Three processes in a row and in graphs exchange with their neighbours, in each of MPI's ways. */
#include <mpi.h>

static int a[64], b[64];
static const int counts[2] = {1, 2}, places[2] = {0, 8};
static const MPI_Aint places_w[2] = {0, 32};

/* 0 - 1 - 2: nobody is beyond the ends. */
static void blocking(MPI_Comm row) {
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Neighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, row);
    MPI_Neighbor_allgatherv(a, 2, MPI_INT, b, (const int[2]){2, 2}, places, MPI_INT, row);
    MPI_Neighbor_alltoall(a, 4, MPI_INT, b, 4, MPI_INT, row);
    /* one integer to the left and two to the right, so two from the left and one from the right */
    MPI_Neighbor_alltoallv(a, counts, places, MPI_INT, b, (const int[2]){2, 1}, places, MPI_INT, row);
    MPI_Neighbor_alltoallw(a, (const int[2]){1, 1}, places_w, types, b, (const int[2]){1, 1}, places_w,
                           (MPI_Datatype[2]){MPI_DOUBLE, MPI_INT}, row);
}

static void completedLater(MPI_Comm row) {
    MPI_Request q[2];
    MPI_Ineighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, row, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Ineighbor_allgatherv(a, 2, MPI_INT, b, (const int[2]){2, 2}, places, MPI_INT, row, &q[0]);
    MPI_Ineighbor_alltoall(a, 4, MPI_INT, b + 32, 4, MPI_INT, row, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Ineighbor_alltoallv(a, counts, places, MPI_INT, b, (const int[2]){2, 1}, places, MPI_INT, row, &q[0]);
    MPI_Waitall(1, q, MPI_STATUSES_IGNORE);
}

static void persistent(MPI_Comm row) {
#if MPI_VERSION >= 4
    MPI_Request q;
    int i;
    MPI_Neighbor_alltoall_init(a, 4, MPI_INT, b, 4, MPI_INT, row, MPI_INFO_NULL, &q);
    for (i = 0; i < 2; ++i) {
        MPI_Start(&q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q);
#else
    (void)row;
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
    int rank;
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &isRing, 0, &row);
    blocking(row);
    completedLater(row);
    persistent(row);
    MPI_Comm_free(&row);
    graphs(rank);
    MPI_Finalize();
    return 0;
}
