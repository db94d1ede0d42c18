/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of a poll that finds nothing: MPI_Testany on eight receives. Prints nanoseconds. */
#include "cheapest.h"

#include <mpi.h>
#include <stdio.h>

enum { kRequests = 8 };
static MPI_Request requests[kRequests];

static void poll(int count) {
    int i, index, flag;
    for (i = 0; i < count; ++i) MPI_Testany(kRequests, requests, &index, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    char in[kRequests], out = 0;
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < kRequests; ++i) MPI_Irecv(&in[i], 1, MPI_CHAR, 0, i, MPI_COMM_WORLD, &requests[i]);
    printf("%.1f\n", cheapest(400, 100, poll));
    for (i = 0; i < kRequests; ++i) MPI_Send(&out, 1, MPI_CHAR, 0, i, MPI_COMM_WORLD);
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
