/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes with two threads each, which exchange messages at the same time: the n-th ones with tag n. */
#include <mpi.h>
#include <pthread.h>

static int rank;

static void* exchange(void* argument) {
    const int tag = *(const int*)argument;
    int i, sent = tag, received = 0;
    MPI_Request request;
    for (i = 0; i < 20; ++i) {
        MPI_Irecv(&received, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &request);
        MPI_Send(&sent, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, i, tags[2] = {1, 2};
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, exchange, &tags[i]);
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
