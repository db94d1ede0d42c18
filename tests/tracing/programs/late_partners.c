/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody is late in one-sided communication: one way for each argument. The last process is the target. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { LATE = 200000, INTS = 3 };  // microseconds
static int memory[8], a[8], rank, target;
static MPI_Win win;

static void put(void) {
    MPI_Put(a, INTS, MPI_INT, target, 0, INTS, MPI_INT, win);
}

static void fence(void) {
    MPI_Win_fence(0, win);
    if (rank == 0) put();
    if (rank == target) usleep(LATE);
    MPI_Win_fence(0, win);
}

/* Rank 0 accesses the target's window; one of the two is late. */
static void epoch(int isTargetLate) {
    const int other = rank == 0 ? target : 0;
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        put();
        if (!isTargetLate) usleep(LATE);
        MPI_Win_complete(win);
    } else {
        if (isTargetLate) usleep(LATE);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

/* Rank 0 keeps the target's lock while rank 1 wants it. */
static void lock(int forAll) {
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
        put();
        MPI_Win_flush(target, win);  // which needs the lock
        MPI_Send(a, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        usleep(LATE);
        MPI_Win_unlock(target, win);
    } else if (rank == 1) {
        MPI_Recv(a, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        forAll ? MPI_Win_lock_all(0, win) : MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
        put();
        if (forAll) MPI_Win_flush(target, win);
        forAll ? MPI_Win_unlock_all(win) : MPI_Win_unlock(target, win);
    }
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    int processes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    target = processes - 1;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "fence") == 0) fence();
    if (strcmp(way, "post") == 0) epoch(1);
    if (strcmp(way, "complete") == 0) epoch(0);
    if (strcmp(way, "lock") == 0) lock(0);
    if (strcmp(way, "lock_all") == 0) lock(1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
