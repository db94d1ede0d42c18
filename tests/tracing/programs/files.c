/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes write a file and read it, in each of MPI's ways; the file's name is the argument. With a
   second one, the second process is late by that many microseconds when they open it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "counts.h"

static int a[16], b[16];

static void alone(MPI_File file, int rank) {
    MPI_Request request;
    MPI_File_write_at(file, 64 * rank, a, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 64 * rank, MPI_SEEK_SET);
    MPI_File_read(file, b, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 64 * rank, a, 4, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void together(MPI_File file, int rank) {
    MPI_File_write_at_all(file, 64 * rank, a, 5, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_read_at_all_begin(file, 64 * rank, b, 5, MPI_INT);
    MPI_File_read_at_all_end(file, b, MPI_STATUS_IGNORE);
}

/* Of 8 integers the file has 5. */
static void beyondTheEnd(const char* name) {
    MPI_File own;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &own);
    MPI_File_read_at(own, 64, b, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&own);
}

int main(int argc, char** argv) {
    const char* name = argv[1];
    int rank;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_File_open(MPI_COMM_WORLD, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 2 && rank == 1) usleep((useconds_t)atoi(argv[2]));
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    alone(file, rank);
    together(file, rank);
    MPI_File_close(&file);
    beyondTheEnd(name);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}
