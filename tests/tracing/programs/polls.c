/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of calls that find nothing, so many each, of one process; what they look for comes after them. With
   the argument `k` the program kills itself behind the first of them; with another one it waits by
   MPI_Testany alone. */
#include <mpi.h>
#include <signal.h>

enum { kPolls = 500, kRequests = 3 };

static int nothing;

/* Called once more for each poll. */
static int isHere(MPI_Request* request) {
    int flag = 0;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static void test(MPI_Request* request) {
    int i;
    for (i = 0; i < kPolls; ++i) isHere(request);
}

static void testAny(MPI_Request* requests) {
    int i, index, flag;
    for (i = 0; i < kPolls; ++i) MPI_Testany(kRequests, requests, &index, &flag, MPI_STATUS_IGNORE);
}

static void testAll(MPI_Request* requests) {
    int i, flag;
    for (i = 0; i < kPolls; ++i) MPI_Testall(kRequests, requests, &flag, MPI_STATUSES_IGNORE);
}

static void testSome(MPI_Request* requests) {
    int i, number, indices[kRequests];
    for (i = 0; i < kPolls; ++i) MPI_Testsome(kRequests, requests, &number, indices, MPI_STATUSES_IGNORE);
}

static void probe(void) {
    int i, flag;
    for (i = 0; i < kPolls; ++i) MPI_Iprobe(0, kRequests, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void ask(MPI_Request* request) {
    int i, flag;
    for (i = 0; i < kPolls; ++i) MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
}

/* What a program looks for is in the memory of the window. */
static void look(void) {
    int i;
    MPI_Win win;
    MPI_Win_create(&nothing, sizeof nothing, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (i = 0; i < kPolls; ++i) MPI_Win_sync(win);
    for (i = 0; i < kPolls; ++i) MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Two places take turns: no two polls follow each other. */
static void turn(MPI_Request* request) {
    int i, flag;
    for (i = 0; i < kPolls; ++i) {
        MPI_Test(request, &flag, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, kRequests, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
}

/* How many tests that takes depends on MPI. */
static void untilAllAreHere(MPI_Request* requests) {
    int index, flag, found = 0;
    for (index = 0; index < kRequests; ++index) MPI_Send(&nothing, 1, MPI_INT, 0, index, MPI_COMM_WORLD);
    while (found < kRequests) {
        MPI_Testany(kRequests, requests, &index, &flag, MPI_STATUS_IGNORE);
        found += flag;
    }
}

static void untilKilled(MPI_Request* request) {
    test(request);
    raise(SIGKILL);
}

int main(int argc, char** argv) {
    MPI_Request requests[kRequests];
    int values[kRequests];
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < kRequests; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    if (argc > 1 && argv[1][0] == 'k') untilKilled(&requests[0]);
    if (argc > 1) {
        testAny(requests);
        untilAllAreHere(requests);
        MPI_Finalize();
        return 0;
    }
    test(&requests[0]);
    testAny(requests);
    testAll(requests);
    testSome(requests);
    probe();
    ask(&requests[0]);
    look();
    turn(&requests[0]);
    for (i = 0; i < kRequests; ++i) MPI_Send(&nothing, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
