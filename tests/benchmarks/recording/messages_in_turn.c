/* SPDX-License-Identifier: BSD-3-Clause */
/* As messages.c, with MPI_Send and MPI_Recv in turn: each call is made from another place than the one
   before; compiled with -DFUNCTIONS, by another function. */
#include "cheapest.h"

#include <mpi.h>
#include <stdio.h>

#ifdef FUNCTIONS
#define ONE_EACH __attribute__((noinline))
#else
#define ONE_EACH inline __attribute__((always_inline))
#endif

static char out, in;

ONE_EACH static int sent(void) {
    return MPI_Send(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
}

ONE_EACH static int received(void) {
    return MPI_Recv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void messages(int count) {
    int i;
    for (i = 0; i < count; ++i)
        if (!sent() || !received()) return;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    printf("%.1f\n", cheapest(400, 100, messages));
    MPI_Finalize();
    return 0;
}
