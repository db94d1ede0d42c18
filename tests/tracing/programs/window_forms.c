/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes: the operations and windows that one_sided.c has not. Rank 0 accesses the memory of rank 1.
 */
#include "counts.h"

static const MPI_Comm world = MPI_COMM_WORLD;
static int memory[8], a[8], b[8], c[8];

static void operations(MPI_Win win) {
    MPI_Request q[3];
    MPI_Win_lock_all(0, win);
    MPI_Get_accumulate(a, 1, MPI_INT, b, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_flush_all(win);
    MPI_Raccumulate(a, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win, &q[0]);
    MPI_Rget_accumulate(a, 3, MPI_INT, b, 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_SUM, win, &q[1]);
    MPI_Rget(c, 4, MPI_INT, 1, 4, 4, MPI_INT, win, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
}

/* Rank 1 asks until rank 0 has finished. */
static void testedEpoch(MPI_Win win, int rank) {
    const int peer = 1 - rank;
    MPI_Group all, other;
    int flag = 0;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(a, 5, MPI_INT, 1, 0, 5, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(other, 0, win);
        while (!flag) MPI_Win_test(win, &flag);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&all);
}

static void shared(int rank) {
    MPI_Win win;
    MPI_Aint size;
    Place unit;
    void* base;
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, world, &base, &win);
    MPI_Win_shared_query(win, 1 - rank, &size, &unit, &base);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(a, 6, MPI_INT, 1, 0, 6, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void dynamic(int rank) {
    MPI_Win win;
    MPI_Aint place;
    MPI_Win_create_dynamic(MPI_INFO_NULL, world, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Get_address(memory, &place);
    MPI_Bcast(&place, 1, MPI_AINT, 1, world);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(a, 7, MPI_INT, 1, place, 7, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
}

int main(int argc, char** argv) {
    MPI_Win win;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, world, &win);
    if (rank == 0) operations(win);
    MPI_Barrier(world);
    testedEpoch(win, rank);
    MPI_Win_free(&win);
    shared(rank);
    dynamic(rank);
    MPI_Finalize();
    return 0;
}
