/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank has as many threads beside its first one as its number says, and a team of as many as it can. */
#include <mpi.h>
#include <pthread.h>

enum { MOST = 3 };

static void* work(void* unused) {
    volatile int sum = 0;
    for (int i = 0; i < 100000; ++i) sum += i;
    return unused;
}

int main(int argc, char** argv) {
    pthread_t threads[MOST];
    int provided, rank, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < rank && i < MOST; ++i) pthread_create(&threads[i], NULL, work, NULL);
#pragma omp parallel num_threads(rank == 0 ? 3 : 1) reduction(+ : sum)
    sum += 1;
    for (int i = 0; i < rank && i < MOST; ++i) pthread_join(threads[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == (rank == 0 ? 3 : 1) ? 0 : 1;
}
