/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes: the ways to read and write a file that files.c has not; its name is the argument. An
 * operation moves as many integers as its place in the program says. */
#include "counts.h"

static int a[32], b[32];

static void wait(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void own(MPI_File file, int rank) {
    MPI_Request q;
    MPI_File_seek(file, 512 * rank, MPI_SEEK_SET);
    MPI_File_write(file, a, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite(file, a, 2, MPI_INT, &q);
    wait(&q);
    MPI_File_seek(file, -12, MPI_SEEK_CUR);
    MPI_File_iread(file, b, 3, MPI_INT, &q);
    wait(&q);
    MPI_File_iread_at(file, 512 * rank, b, 2, MPI_INT, &q);
    wait(&q);
}

static void together(MPI_File file, int rank) {
    MPI_Request q;
    MPI_File_seek(file, 512 * rank, MPI_SEEK_SET);
    MPI_File_write_all(file, a, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_all(file, a, 5, MPI_INT, &q);
    wait(&q);
    MPI_File_iwrite_at_all(file, 512 * rank + 36, a, 6, MPI_INT, &q);
    wait(&q);
    MPI_File_sync(file);
    MPI_File_seek(file, 512 * rank, MPI_SEEK_SET);
    MPI_File_read_all(file, b, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_all(file, b, 5, MPI_INT, &q);
    wait(&q);
    MPI_File_read_at_all(file, 512 * rank, b, 6, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at_all(file, 512 * rank, b, 7, MPI_INT, &q);
    wait(&q);
}

static void inTwoCalls(MPI_File file, int rank) {
    MPI_File_seek(file, 512 * rank, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, a, 8, MPI_INT);
    MPI_File_write_all_end(file, a, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 512 * rank, a, 9, MPI_INT);
    MPI_File_write_at_all_end(file, a, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, 512 * rank, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, b, 8, MPI_INT);
    MPI_File_read_all_end(file, b, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 512 * rank, b, 9, MPI_INT);
    MPI_File_read_at_all_end(file, b, MPI_STATUS_IGNORE);
}

/* Both move the same pointer: each operation takes what the one before left. */
static void shared(MPI_File file) {
    MPI_Request q;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_shared(file, a, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_shared(file, a, 2, MPI_INT, &q);
    wait(&q);
    MPI_File_write_ordered(file, a, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_ordered_begin(file, a, 4, MPI_INT);
    MPI_File_write_ordered_end(file, a, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, b, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_shared(file, b, 2, MPI_INT, &q);
    wait(&q);
    MPI_File_read_ordered(file, b, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_ordered_begin(file, b, 4, MPI_INT);
    MPI_File_read_ordered_end(file, b, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int rank;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    own(file, rank);
    together(file, rank);
    inTwoCalls(file, rank);
    shared(file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
