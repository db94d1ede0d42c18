/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes write 24 bytes to a file together, read its last 12, and get 8 bytes of each other's window.
   A thread begins all that, another one completes it. ARGUMENT: the file. */
#include <mpi.h>
#include <pthread.h>

#ifdef OPEN_MPI
#define ASKED 12 /* its nonblocking reads beyond the end of a file do not end */
#else
#define ASKED 32
#endif

static MPI_Request request;

static void* wait_for_it(void* unused) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

static void complete(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int provided, rank;
    char data[12] = "holos holos", more[ASKED];
    double shared = 1, seen = 0;
    MPI_File file;
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_iwrite_at_all(file, 12 * rank, data, 12, MPI_CHAR, &request);
    complete();
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_iread_at(file, 12, more, ASKED, MPI_CHAR, &request);
    complete();
    MPI_File_close(&file);

    MPI_Win_create(&shared, sizeof shared, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, window);
    MPI_Rget(&seen, 1, MPI_DOUBLE, 1 - rank, 0, 1, MPI_DOUBLE, window, &request);
    complete();
    MPI_Win_unlock(1 - rank, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
