/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes whose calls fail in between: the error is returned, or an error handler jumps (argument
 * `jump`) or, in C++, throws (`throw`). No process has the number 99. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf back;
static int mode;

enum { Return, Jump, Throw };

static void handle(MPI_Comm* comm, int* error, ...) {
    (void)comm;
    (void)error;
    if (mode == Jump) longjmp(back, 1);
#ifdef __cplusplus
    if (mode == Throw) throw 1;
#endif
}

/* Each fails, with and without something that would have been recorded of it. */
static void failOnce(int which) {
    int value = 0;
    MPI_Request request;
    if (which == 0) MPI_Send(&value, 1, MPI_INT, 99, 1, MPI_COMM_WORLD);
    if (which == 1) MPI_Isend(&value, 1, MPI_INT, 99, 2, MPI_COMM_WORLD, &request);
    if (which == 2) MPI_Irecv(&value, 1, MPI_INT, 99, 3, MPI_COMM_WORLD, &request);
    if (which == 3) MPI_Bcast(&value, 1, MPI_INT, 99, MPI_COMM_WORLD);
    if (which == 4) MPI_Recv(&value, 1, MPI_INT, 99, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void failLikeProgram(int which) {
#ifdef __cplusplus
    try {
        failOnce(which);
    } catch (int) {
    }
#else
    failOnce(which);
#endif
}

/* Deeper on the stack than any call before, with space that nobody writes to. */
static void exchange(int rank) {
    volatile char space[20000];
    int value = rank;
    space[0] = 0;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Errhandler handler;
    mode = argc < 2 ? Return : strcmp(argv[1], "jump") == 0 ? Jump : Throw;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(&handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mode == Return ? MPI_ERRORS_RETURN : handler);
    for (volatile int which = 0; which < 5; which = which + 1) {
        if (setjmp(back) == 0) failLikeProgram(which);
        exchange(rank);
    }
    MPI_Errhandler_free(&handler);
    return MPI_Finalize();
}
