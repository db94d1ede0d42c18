/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one exchange: 4 MPI_Irecv, 4 MPI_Isend, MPI_Waitall, of a process with itself, or of two
   with each other. Prints nanoseconds. The argument is the size of the messages in bytes (8). */
#include "cheapest.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMessages = 4, kLargest = 1 << 20 };

static char out[kMessages][kLargest], in[kMessages][kLargest];
static int bytes = 8;
static int partner;

static void exchanges(int count) {
    MPI_Request requests[2 * kMessages];
    for (int n = 0; n < count; ++n) {
        for (int i = 0; i < kMessages; ++i)
            MPI_Irecv(in[i], bytes, MPI_CHAR, partner, i, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < kMessages; ++i)
            MPI_Isend(out[i], bytes, MPI_CHAR, partner, i, MPI_COMM_WORLD, &requests[kMessages + i]);
        MPI_Waitall(2 * kMessages, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char** argv) {
    int rank, ranks;
    double time;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    partner = ranks - 1 - rank;
    if (argc > 1) bytes = atoi(argv[1]);
    if (bytes > kLargest) bytes = kLargest;
    time = cheapest(400, 20, exchanges);
    if (rank == 0) printf("%.1f\n", time);
    MPI_Finalize();
    return 0;
}
