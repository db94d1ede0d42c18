/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs as many iterations as the first word says, each a phase in which the even rank of two neighbours is
 * late for a message by a time that differs, and sends as many bytes; then all meet. */
#include <holos/holos.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void be_late(int iteration) {
    /* 0 to 600 us, in no order; now and then much more. */
    const long micros = iteration * 7919L % 13 * 50 + (iteration % 17 == 0 ? 1500 : 0);
    const struct timespec time = {0, micros * 1000};
    nanosleep(&time, NULL);
}

int main(int count, char** words) {
    static char bytes[100000];
    int rank, size, i, most = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int iterations = count > 1 ? atoi(words[1]) : 10;
    for (i = 1; i <= iterations; ++i) {
        HOLOS_PHASE_BEGIN(step, "step");
        const int length = i % 4 == 0 ? 0 : i % 4 == 1 ? 8 : i % 4 == 2 ? 1024 : 100000;
        if (rank % 2 == 0 && rank + 1 < size) {
            be_late(i);
            MPI_Send(bytes, length, MPI_CHAR, rank + 1, i, MPI_COMM_WORLD);
        } else if (rank % 2 == 1) {
            MPI_Recv(bytes, length, MPI_CHAR, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Allreduce(&i, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        HOLOS_PHASE_END(step);
    }
    MPI_Finalize();
    return 0;
}
