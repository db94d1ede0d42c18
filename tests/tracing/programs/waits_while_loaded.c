/* SPDX-License-Identifier: BSD-3-Clause */
/* With LIBRARY: its constructor starts a thread, or a team of OpenMP, and waits for it. The thread is the
 * first in the process that calls most of these functions, while the constructor's thread holds the dynamic
 * linker's lock. Without: loads such libraries (the arguments), one after the other; with `close` as the
 * first argument it closes each, and fails where gcc's OpenMP has gone with it, whose threads still wait in
 * its code. */
#ifdef LIBRARY

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

#ifdef _OPENMP

static int shares;

static void workTogether(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp critical
        ++shares;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; ++i) {
#pragma omp atomic
            ++shares;
        }
#pragma omp single
        {
#pragma omp task
            {
#pragma omp atomic
                ++shares;
            }
        }
    }
}

__attribute__((constructor)) static void waitForTeam(void) {
    workTogether();
}
int isDone(void) {
    return shares == 2 + 4 + 1;
}

#elif defined(WITH_MPI)

/* The first call of MPI is made while this is loaded: by a thread that the constructor waits for, or by the
 * constructor itself (BY_ITSELF). The others are made afterwards. */
#include <mpi.h>

static int isAsked;

static void* ask(void* data) {
    int isBegun = 1;
    MPI_Initialized(&isBegun);
    isAsked = !isBegun;
    return data;
}

__attribute__((constructor)) static void askMpi(void) {
#ifdef BY_ITSELF
    ask(NULL);
#else
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask, NULL) == 0) pthread_join(thread, NULL);
#endif
}
int isDone(void) {
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize() == MPI_SUCCESS && isAsked;
}

#else

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static int isUp;

static void noteOnce(void) {}

static void* work(void* data) {
    int ends[2];
    char byte = 1;
    if (pipe(ends) != 0 || write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1) return NULL;
    usleep(1000);
    pthread_once(&once, noteOnce);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_wait(&semaphore);
    pthread_mutex_lock(&mutex);
    isUp = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return data;
}

__attribute__((constructor)) static void waitForThread(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 1);
    if (pthread_create(&thread, NULL, work, NULL) != 0) return;
    pthread_mutex_lock(&mutex);
    while (!isUp) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
int isDone(void) {
    return isUp;
}

#endif

#else

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    const int closes = argc > 1 && strcmp(argv[1], "close") == 0;
    for (int i = closes ? 2 : 1; i < argc; ++i) {
        void* const library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*const isDone)(void) = library != NULL ? (int (*)(void))dlsym(library, "isDone") : NULL;
        if (isDone == NULL) printf("%s\n", dlerror());
        if (isDone == NULL || !isDone()) return i;
        if (closes && dlclose(library) != 0) return i;
        if (closes && dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD) == NULL) return i;
    }
    return 0;
}

#endif
