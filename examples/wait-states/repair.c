// SPDX-License-Identifier: BSD-3-Clause
// A ring with two faults, and the same ring without them. Every rank works, hands a message to its right
// neighbour, and all add up a sum.
//
//   before   rank 0  ├── work ──┤── extra ──┤ Send … Recv      all wait for rank 0, one after the other:
//            rank 1  ├── work ──┤ Recv ▒▒▒▒▒▒▒▒▒▒▒▒│ Send      Late Sender, and Wait at N x N in the sum
//   after    all     Irecv ├── work ── a quarter of extra ──┤ Isend, Waitall
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "delay.h"

enum { kSteps = 10 };
static const double kWork = 4.0, kExtra = 12.0; /* milliseconds in each step */

/// Rank 0 does all of the extra work, and a rank receives before it sends.
static double stepBefore(int rank, int left, int right, double value) {
    delay(rank == 0 ? kWork + kExtra : kWork);
    double received = 0.0;
    if (rank == 0) MPI_Send(&value, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&received, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(&value, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    return received;
}

/// The extra work is shared, and messages travel while the ranks work.
static double stepAfter(int ranks, int left, int right, double value) {
    double received = 0.0;
    MPI_Request requests[2];
    MPI_Irecv(&received, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
    delay(kWork + kExtra / ranks);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return received;
}

int main(int argc, char** argv) {
    const int isAfter = argc == 2 && strcmp(argv[1], "after") == 0;
    if (argc != 2 || (!isAfter && strcmp(argv[1], "before") != 0)) {
        const int help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fprintf(help ? stdout : stderr, "Usage: repair before|after\n");
        return help ? 0 : 2;
    }
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    double value = rank, sum = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        value = isAfter ? stepAfter(ranks, left, right, value) : stepBefore(rank, left, right, value);
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("sum %.0f\n", sum);
    MPI_Finalize();
    return 0;
}
