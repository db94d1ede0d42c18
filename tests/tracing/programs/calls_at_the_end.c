/* SPDX-License-Identifier: BSD-3-Clause */
/* The attribute of MPI_COMM_SELF is deleted in MPI_Finalize, before anything else: its function sends a
 * message to the next rank, and gets one. */
#include <mpi.h>
#include <stddef.h>

static int deleteAttribute(MPI_Comm comm, int key, void* value, void* extra) {
    int rank, size, got = -1;
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 9, &got, 1, MPI_INT, (rank + size - 1) % size, 9,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return got == (rank + size - 1) % size ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int main(int argc, char** argv) {
    int key;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleteAttribute, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return MPI_Finalize() != MPI_SUCCESS;
}
