/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes, one window; rank 0's events are expected by the test. */
#include "counts.h"

static int memory[8], a[8];

static void fences(MPI_Win win, int rank) {
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(a, 3, MPI_INT, 1, 0, 3, MPI_INT, win);
        MPI_Get(a, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Put(a, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
}

static void epochs(MPI_Win win, int rank) {
    MPI_Group world, other;
    const int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Accumulate(a, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_complete(win);
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        MPI_Win_start(other, 0, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
}

static void locks(MPI_Win win, int rank) {
    MPI_Request request;
    const int one = 1;
    int got;
    if (rank != 0) return;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(a, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
    MPI_Win_flush_local(1, win);
    MPI_Win_flush(1, win);
    MPI_Fetch_and_op(&one, &got, MPI_INT, 1, 0, MPI_SUM, win);
    MPI_Win_unlock(1, win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(a, 4, MPI_INT, 1, 0, 4, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Compare_and_swap(&one, &one, &got, MPI_INT, 1, 0, win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char** argv) {
    MPI_Win win, own;
    void* base;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    fences(win, rank);
    epochs(win, rank);
    locks(win, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &own);
    MPI_Win_free(&own);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
