/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls of its allocator, whoever makes them, and prints how many there were before main and in
 * it. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* block, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void* block);

static atomic_long calls;

void* malloc(size_t bytes) {
    ++calls;
    return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
    ++calls;
    return __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
    ++calls;
    return __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
    ++calls;
    return __libc_memalign(alignment, bytes);
}
void free(void* block) {
    if (block != NULL) ++calls;
    __libc_free(block);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

/* All four threads are there at a time, so that the C library needs the same for them in each run, and long
 * enough for the recorder to ask the kernel how they were bound. */
static pthread_barrier_t all;

static void* add(void* number) {
    const struct timespec pause = {0, 20 * 1000 * 1000};
    HOLOS_REGION_BEGIN(region, "add");
    pthread_barrier_wait(&all);
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&mutex);
    sum += *(int*)number;
    pthread_mutex_unlock(&mutex);
    HOLOS_REGION_END(region);
    return NULL;
}

static void runThreads(void) {
    pthread_t threads[4];
    int number = 1;
    pthread_barrier_init(&all, NULL, 4);
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, add, &number);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all);
}

static void runTeam(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        ++sum;
#pragma omp for
        for (int i = 0; i < 100; ++i) {
#pragma omp atomic
            ++sum;
        }
    }
}

static void nameRegions(void) {
    for (int i = 0; i < 200; ++i) {
        char name[40];
        holos_region handle = 0;
        snprintf(name, sizeof name, "a region with the long name %d", i);
        holos_region_begin(&handle, name, __FILE__, __LINE__);
        holos_region_end(&handle);
    }
}

static void sendMessages(void) {
#ifdef WITH_MPI
    for (int i = 0; i < 200; ++i) {
        int sent[2] = {i, i}, received[2];
        MPI_Request requests[4];
        MPI_Irecv(&received[0], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&received[1], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&sent[0], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&sent[1], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        sum += received[0];
    }
    MPI_Barrier(MPI_COMM_WORLD);
#endif
}

static void work(void) {
    nameRegions();
    runThreads();
    runTeam();
    sendMessages();
}

int main(int argc, char** argv) {
    const long before = calls;
    static char line[100];
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    sendMessages(); /* what MPI needs for the first message */
#endif
    holos_find(); /* that nothing was found is an error of the dynamic linker, which has a text */
    dlerror();
    runTeam(); /* what OpenMP needs for the first region */
    const long atBegin = calls;
    work();
    const long inMain = calls - atBegin;
#ifdef WITH_MPI
    MPI_Finalize();
    snprintf(line, sizeof line, "%ld calls while working\n", inMain);
#else
    snprintf(line, sizeof line, "%ld calls before main, %ld in it\n", before, inMain);
#endif
    (void)argc, (void)argv, (void)before;
    setvbuf(stdout, NULL, _IONBF, 0);
    fputs(line, stdout);
    return 0;
}
