/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a process to itself, of types that come again, and of types whose handles become those of
 * others; and a type of 2.5 GB, to nobody else. */
#include <mpi.h>

static double data[64];

static void exchange(int count, MPI_Datatype type) {
    MPI_Sendrecv(data, count, type, 0, 1, data + 32, count, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void exchangeMade(int count, MPI_Datatype of) {
    MPI_Datatype type;
    MPI_Type_contiguous(count, of, &type);
    MPI_Type_commit(&type);
    exchange(1, type);
    exchange(1, type);
    MPI_Type_free(&type);
}

static void spreadLarge(void) {
    MPI_Datatype type;
    MPI_Type_vector(5, 1 << 26, 0, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(data, 1, type, 0, MPI_COMM_SELF);
    MPI_Type_free(&type);
}

int main(int argc, char** argv) {
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 2; ++i) {
        exchange(1, MPI_INT);
        exchange(1, MPI_DOUBLE);
        exchange(1, MPI_CHAR);
    }
    for (i = 1; i < 4; ++i) exchangeMade(i, MPI_INT);
    exchangeMade(3, MPI_DOUBLE);
    exchange(1, MPI_INT);
    spreadLarge();
    MPI_Finalize();
    return 0;
}
