/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of rank 0 send, each with a request; the second one waits for its own first. MPI libraries give
   all sends that are done at once the same handle. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>

static int step;

static void await(int wanted) {
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < wanted) sched_yield();
}
static void reach(int next) {
    __atomic_store_n(&step, next, __ATOMIC_RELEASE);
}

static MPI_Request sent(int tag) {
    static int value;
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    return request;
}

static void* first(void* unused) {
    MPI_Request request = sent(1);
    reach(1);
    await(3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

static void* second(void* unused) {
    MPI_Request request;
    await(1);
    request = sent(2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    reach(3);
    return unused;
}

int main(int argc, char** argv) {
    int provided, rank, i;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&threads[0], NULL, first, NULL);
        pthread_create(&threads[1], NULL, second, NULL);
        for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    } else if (rank == 1) {
        for (i = 1; i <= 2; ++i) {
            int received;
            MPI_Recv(&received, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
