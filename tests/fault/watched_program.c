/* SPDX-License-Identifier: BSD-3-Clause */
/* watched_program SHARED ROUNDS PROCESSES [NUMBER]: each process, with MPI or started by the first, has two
 * threads besides its main one. All of them do ROUNDS rounds, and begin one only when SHARED allows it, a
 * file with numbers: first how many rounds may begin, then how many each thread has done. What they do does
 * not depend on how long that takes. */
#include <fcntl.h>
#include <holos/holos.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { kThreads = 3, kPage = 4096 };

static atomic_int* shared;
static int rounds;
static int process;
static int processes;

static void leaf(void) {
    HOLOS_REGION_BEGIN(region, "leaf");
    HOLOS_REGION_END(region);
}

/* Rounds differ, so that one that is missing or there twice is noticed. */
static void oneRound(int number) {
    int i;
    HOLOS_REGION_BEGIN(region, "round");
    for (i = 0; i < number % 7; ++i) leaf();
    HOLOS_REGION_END(region);
}

static void exchange(void) {
#ifdef WITH_MPI
    int mine = process;
    int other = 0;
    MPI_Sendrecv(&mine, 1, MPI_INT, (process + 1) % processes, 0, &other, 1, MPI_INT,
                 (process + processes - 1) % processes, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
}

static void work(int thread) {
    int i;
    for (i = 0; i < rounds; ++i) {
        while (atomic_load(&shared[0]) <= i) sched_yield();
        oneRound(i + thread);
        if (thread == 0) exchange();
        atomic_fetch_add(&shared[1 + kThreads * process + thread], 1);
    }
}

static void* thread(void* number) {
    work((int)(long)number);
    return NULL;
}

static void begin(int* argc, char*** argv) {
#ifdef WITH_MPI
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
#else
    processes = atoi((*argv)[3]);
    if (*argc > 4) process = atoi((*argv)[4]);
    if (process == 0) {
        int next;
        for (next = 1; next < processes; ++next) {
            char number[16];
            snprintf(number, sizeof number, "%d", next);
            if (vfork() == 0) {
                execl((*argv)[0], (*argv)[0], (*argv)[1], (*argv)[2], (*argv)[3], number, (char*)NULL);
                _exit(127);
            }
        }
    }
#endif
}

static void end(void) {
#ifdef WITH_MPI
    MPI_Finalize();
#else
    while (wait(NULL) > 0) continue;
#endif
}

int main(int argc, char** argv) {
    pthread_t others[kThreads - 1];
    long i;
    const int file = argc >= 4 ? open(argv[1], O_RDWR) : -1;
    if (file < 0) return 2;
    shared = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return 2;
    rounds = atoi(argv[2]);
    begin(&argc, &argv);
    for (i = 1; i < kThreads; ++i) pthread_create(&others[i - 1], NULL, &thread, (void*)i);
    work(0);
    for (i = 1; i < kThreads; ++i) pthread_join(others[i - 1], NULL);
    end();
    return 0;
}
