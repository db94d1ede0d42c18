/* SPDX-License-Identifier: BSD-3-Clause */
/* hanging_program HOW: two or more processes of MPI that never end. Those who forget it are helped by an
 * alarm.
 *   receives    ranks 0 and 1 both receive first
 *   collective  the last rank does not come to a collective operation of all
 *   begun       the same of one that other calls complete
 *   polls       ranks 0 and 1 ask in vain, each for a message of the other one
 *   tag         rank 0 waits for another tag than rank 1 has sent
 *   order       rank 0 calls one collective operation, the others another one
 *   requests    rank 0 waits for two requests, of which rank 1 never sends the second message
 *   sent        rank 0 waits for a message that rank 1 never sends, and for two small ones that it sent
 *   finalize    the last rank does not come to the end of MPI
 *   exposure    rank 0 accesses memory that rank 1 does not expose
 *   accesses    rank 1 exposes memory, and rank 0 does not end its accesses */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank;
static int size;

static void stayAway(void) {
    for (;;) pause();
}

static void receive(int from, int tag) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pollFor(int from, int tag) {
    int got = 0, isHere = 0;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request);
    while (!isHere) MPI_Test(&request, &isHere, MPI_STATUS_IGNORE);
}

static void send(int to, int tag) {
    MPI_Send(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void exchange(const char* how) {
    int other = 1 - rank;
    if (rank > 1) return;
    if (strcmp(how, "polls") == 0) {
        pollFor(other, 7);
    } else if (strcmp(how, "receives") == 0) {
        receive(other, 7);
        send(other, 7);
    } else if (rank == 1) {
        send(0, 5);
    } else {
        receive(1, 6);
    }
}

static void waitForBoth(void) {
    int got[2];
    MPI_Request requests[2];
    if (rank == 1) {
        send(0, 11);
        stayAway();
    }
    if (rank != 0) return;
    MPI_Irecv(&got[0], 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, 1, 12, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void waitBesideSent(void) {
    static int sent, alsoSent, got;
    MPI_Request requests[3];
    if (rank == 1) stayAway();
    if (rank != 0) return;
    MPI_Irecv(&got, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, 1, 33, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&alsoSent, 1, MPI_INT, 1, 44, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* The last rank begins one operation, the others two. */
static void begin(void) {
    MPI_Request requests[2];
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (rank == size - 1) stayAway();
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

/* Rank 0 uses the memory of rank 1, which does not expose it, or which waits for the end of that, in vain. */
static void useMemory(const char* how) {
    static int memory, put = 1;
    MPI_Win window;
    MPI_Group all, other;
    const int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        if (strcmp(how, "accesses") == 0) stayAway();
        MPI_Put(&put, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else if (rank == 1) {
        if (strcmp(how, "exposure") == 0) stayAway();
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
}

static void compute(const char* how) {
    int sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "begun") == 0) begin();
    if (strcmp(how, "collective") == 0 && rank == size - 1) stayAway();
    if (strcmp(how, "order") == 0 && rank == 0)
        MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    else if (strcmp(how, "order") == 0 || strcmp(how, "collective") == 0)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    const char* how = argc > 1 ? argv[1] : "";
    alarm(300);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    compute(how);
    if (strcmp(how, "receives") == 0 || strcmp(how, "polls") == 0 || strcmp(how, "tag") == 0) exchange(how);
    if (strcmp(how, "requests") == 0) waitForBoth();
    if (strcmp(how, "sent") == 0) waitBesideSent();
    if (strcmp(how, "exposure") == 0 || strcmp(how, "accesses") == 0) useMemory(how);
    if (strcmp(how, "finalize") == 0 && rank == size - 1) stayAway();
    MPI_Finalize();
    return 0;
}
