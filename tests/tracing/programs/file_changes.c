/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes change a file that they have open together; its name is the argument. With a second one, the
   second process is late by that many microseconds when they set its view. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static void change(MPI_File file) {
    MPI_Info info;
    MPI_File_set_size(file, 64);
    MPI_File_preallocate(file, 128);
    MPI_File_set_atomicity(file, 0);
    MPI_Info_create(&info);
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
}

/* A file that a process has for itself is nobody else's matter. */
static void changeOwn(const char* name) {
    MPI_File own;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &own);
    MPI_File_set_size(own, 128);
    MPI_File_close(&own);
}

int main(int argc, char** argv) {
    int rank;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (argc > 2 && rank == 1) usleep((useconds_t)atoi(argv[2]));
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    change(file);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0) changeOwn(argv[1]);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
