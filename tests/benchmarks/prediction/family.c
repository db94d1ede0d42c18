// SPDX-License-Identifier: BSD-3-Clause
// A family of programs whose change is known: ranks work, unevenly, and communicate in one of several ways.
//
//   family PATTERN STEPS MILLISECONDS UNEVENNESS BYTES
//
// In each step the first rank works for MILLISECONDS (1 - UNEVENNESS), the last one for MILLISECONDS (1 +
// UNEVENNESS), and the others for what lies between them: the mean does not depend on UNEVENNESS. In `team`
// and `lock` the threads of each process do the same, and meet in a barrier; in `lock` a critical section has
// a quarter of the work, in `unlocked` no section has.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static void work(double milliseconds) {
    const double end = now() + milliseconds;
    while (now() < end) continue;
}

static double share(double milliseconds, double unevenness, int one, int all) {
    return all < 2 ? milliseconds : milliseconds * (1 + unevenness * (2.0 * one / (all - 1) - 1));
}

static void threads(const char* pattern, double milliseconds, double unevenness) {
    const int isLocked = strcmp(pattern, "lock") == 0;
    const int isSplit = isLocked || strcmp(pattern, "unlocked") == 0;
#pragma omp parallel
    {
        const double own = share(milliseconds, unevenness, omp_get_thread_num(), omp_get_num_threads());
        work(isSplit ? 0.75 * own : own);
        if (isLocked) {
#pragma omp critical
            work(0.25 * own);
        } else if (isSplit) {
            work(0.25 * own);
        }
    }
}

static void communicate(const char* pattern, int rank, int ranks, char* data, int bytes) {
    char* const other = data + bytes;
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    if (strcmp(pattern, "ring") == 0) {
        MPI_Sendrecv(data, bytes, MPI_CHAR, right, 0, other, bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    } else if (strcmp(pattern, "pipeline") == 0) {
        if (rank > 0) MPI_Recv(data, bytes, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank + 1 < ranks) MPI_Send(data, bytes, MPI_CHAR, rank + 1, 0, MPI_COMM_WORLD);
    } else if (strcmp(pattern, "requests") == 0) {
        MPI_Request requests[2];
        MPI_Irecv(other, bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(data, bytes, MPI_CHAR, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (strcmp(pattern, "broadcast") == 0) {
        MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (strcmp(pattern, "sum") == 0) {
        MPI_Allreduce(data, other, bytes / 8, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: family PATTERN STEPS MILLISECONDS UNEVENNESS BYTES\n");
        return 2;
    }
    const char* const pattern = argv[1];
    const int steps = atoi(argv[2]), bytes = atoi(argv[5]);
    const double milliseconds = atof(argv[3]), unevenness = atof(argv[4]);
    int rank = 0, ranks = 0, level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char* const data = calloc((size_t)bytes + 8, 2);
    if (data == NULL) return 1;
    const int isOfThreads = strcmp(pattern, "team") == 0 || strstr(pattern, "lock") != NULL;
    for (int step = 0; step < steps; ++step) {
        if (isOfThreads)
            threads(pattern, milliseconds, unevenness);
        else
            work(share(milliseconds, unevenness, rank, ranks));
        communicate(pattern, rank, ranks, data, bytes);
    }
    free(data);
    MPI_Finalize();
    return 0;
}
