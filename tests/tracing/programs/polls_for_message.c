/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 asks in vain for a message, tells rank 0 to send it, and asks until it is there. */
#include <mpi.h>

enum { kPolls = 200, kData = 1, kGo = 2 };

static int ask(MPI_Request* request) {
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static void receive(void) {
    MPI_Request request;
    int value, i;
    MPI_Irecv(&value, 1, MPI_INT, 0, kData, MPI_COMM_WORLD, &request);
    for (i = 0; i < kPolls; ++i) ask(&request);
    MPI_Send(&value, 0, MPI_INT, 0, kGo, MPI_COMM_WORLD);
    while (!ask(&request)) continue;
}

static void send(void) {
    int value = 7;
    MPI_Recv(&value, 0, MPI_INT, 1, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 1, kData, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        receive();
    else
        send();
    MPI_Finalize();
    return 0;
}
