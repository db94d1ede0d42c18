/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes: the forms of messages and of their completion that messages.c has not. Rank 1 sends to rank
 * 0, or the other way round. */
#include "counts.h"

enum { SIZE = 8, MODES = 6 };
static int a[SIZE], b[MODES][SIZE];
static const MPI_Comm world = MPI_COMM_WORLD;

static void receiveAll(MPI_Request* q) {
    int i;
    for (i = 0; i < MODES; ++i) MPI_Irecv(b[i], SIZE, MPI_INT, 0, i + 1, world, &q[i]);
    MPI_Barrier(world); /* ready sends need receives that are there */
    MPI_Waitall(MODES, q, MPI_STATUSES_IGNORE);
}

static void modes(int rank) {
    MPI_Request q[MODES];
    if (rank == 1) {
        receiveAll(q);
        return;
    }
    MPI_Barrier(world);
    MPI_Bsend(a, 1, MPI_INT, 1, 1, world);
    MPI_Rsend(a, 2, MPI_INT, 1, 2, world);
    MPI_Ibsend(a, 3, MPI_INT, 1, 3, world, &q[0]);
    MPI_Irsend(a, 4, MPI_INT, 1, 4, world, &q[1]);
    MPI_Issend(a, 5, MPI_INT, 1, 5, world, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Isend(a, 6, MPI_INT, 1, 6, world, &q[0]);
    MPI_Request_free(&q[0]); /* it is sent nevertheless */
}

static void persistent(int rank) {
    MPI_Request q[MODES];
    int i;
    if (rank == 1) {
        receiveAll(q);
        return;
    }
    MPI_Send_init(a, 1, MPI_INT, 1, 1, world, &q[0]);
    MPI_Bsend_init(a, 2, MPI_INT, 1, 2, world, &q[1]);
    MPI_Rsend_init(a, 3, MPI_INT, 1, 3, world, &q[2]);
    MPI_Ssend_init(a, 4, MPI_INT, 1, 4, world, &q[3]);
    MPI_Send_init(a, 5, MPI_INT, 1, 5, world, &q[4]);
    MPI_Send_init(a, 6, MPI_INT, 1, 6, world, &q[5]);
    MPI_Barrier(world);
    MPI_Start(&q[0]);
    MPI_Startall(MODES - 1, q + 1);
    MPI_Waitall(MODES, q, MPI_STATUSES_IGNORE);
    for (i = 0; i < MODES; ++i) MPI_Request_free(&q[i]);
}

static void receiveTwo(MPI_Request* q, int tag) {
    MPI_Irecv(b[0], SIZE, MPI_INT, 1, tag, world, &q[0]);
    MPI_Irecv(b[1], SIZE, MPI_INT, 1, tag + 1, world, &q[1]);
}

/* Each way to wait for two messages and to test for them. */
static void completions(int rank) {
    MPI_Request q[2];
    MPI_Status statuses[2];
    int places[2], done, n, flag, tag;
    if (rank == 1) {
        for (tag = 1; tag <= 9; ++tag) MPI_Send(a, 1, MPI_INT, 0, tag, world);
        return;
    }
    receiveTwo(q, 1);
    for (done = 0; done < 2; done += n) MPI_Waitsome(2, q, &n, places, MPI_STATUSES_IGNORE);
    receiveTwo(q, 3);
    for (done = 0; done < 2; done += n) MPI_Testsome(2, q, &n, places, statuses);
    receiveTwo(q, 5);
    for (done = 0; done < 2; done += flag) MPI_Testany(2, q, &n, &flag, statuses);
    receiveTwo(q, 7);
    do MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
    while (!flag);
    MPI_Irecv(b[0], SIZE, MPI_INT, 1, 9, world, &q[0]);
    do MPI_Request_get_status(q[0], &flag, statuses);
    while (!flag);
    MPI_Wait(&q[0], statuses);
}

static void probes(int rank) {
    MPI_Message message;
    MPI_Status status;
    MPI_Request q;
    MPI_Count many;
    Count n;
    int flag, tag;
    if (rank == 1) {
        for (tag = 1; tag <= 4; ++tag) MPI_Send(a, tag, MPI_INT, 0, tag, world);
        return;
    }
    MPI_Probe(1, 1, world, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Get_elements(&status, MPI_INT, &n);
    MPI_Get_elements_x(&status, MPI_INT, &many);
    MPI_Recv(b, n, MPI_INT, 1, 1, world, MPI_STATUS_IGNORE);
    do MPI_Iprobe(MPI_ANY_SOURCE, 2, world, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Recv(b, SIZE, MPI_INT, 1, 2, world, MPI_STATUS_IGNORE);
    do MPI_Improbe(1, 3, world, &flag, &message, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Mrecv(b, SIZE, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 4, world, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(b, SIZE, MPI_INT, &message, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 5, world, &message, MPI_STATUS_IGNORE); /* no message, nothing to receive */
    MPI_Imrecv(b, SIZE, MPI_INT, &message, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

/* A persistent receive is cancelled; the next one is not. */
static void cancelled(int rank) {
    MPI_Request q;
    MPI_Status status;
    int flag;
    if (rank == 1) {
        MPI_Barrier(world);
        MPI_Send(a, 3, MPI_INT, 0, 1, world);
        return;
    }
    MPI_Recv_init(b, SIZE, MPI_INT, 1, 1, world, &q);
    MPI_Start(&q);
    MPI_Cancel(&q);
    MPI_Wait(&q, &status);
    MPI_Test_cancelled(&status, &flag);
    MPI_Barrier(world);
    MPI_Start(&q);
    MPI_Wait(&q, &status);
    MPI_Request_free(&q);
}

static void both(int rank) {
    MPI_Sendrecv_replace(a, 7, MPI_INT, 1 - rank, 7, 1 - rank, 7, world, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    {
        MPI_Request q[2];
        MPI_Isendrecv(a, 3, MPI_INT, 1 - rank, 2, b[0], 3, MPI_INT, 1 - rank, 2, world, &q[0]);
        MPI_Isendrecv_replace(b[1], 4, MPI_INT, 1 - rank, 3, 1 - rank, 3, world, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
#endif
}

int main(int argc, char** argv) {
    static char space[MODES * (SIZE * sizeof(int) + MPI_BSEND_OVERHEAD)];
    void* detached;
    Count bytes;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Buffer_attach(space, sizeof space);
    modes(rank);
    persistent(rank);
    completions(rank);
    probes(rank);
    cancelled(rank);
    both(rank);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Finalize();
    return 0;
}
