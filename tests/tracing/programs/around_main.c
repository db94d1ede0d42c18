/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are at work before and after `main`, in their constructors and destructors. With POOL: a
 * thread that the constructor starts and the destructor ends, and that does a job in between. With OPENMP: a
 * parallel region in the constructor, which first asks how many threads there are, as libraries do for their
 * constants; one in between, and one in the destructor. With FIRST: a constructor that runs before all
 * others, before the C library knows its environment; its thread stays until the end. Else the program, which
 * does the job. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void around_main_job(void);

#if defined(POOL)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int jobs, done, isOver;

static void* pool_worker(void* unused) {
    pthread_mutex_lock(&mutex);
    while (!isOver) {
        if (jobs > done) {
            ++done;
            pthread_cond_broadcast(&changed);
        } else {
            pthread_cond_wait(&changed, &mutex);
        }
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

void around_main_job(void) {
    pthread_mutex_lock(&mutex);
    ++jobs;
    pthread_cond_broadcast(&changed);
    while (done < jobs) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void begin(void) {
    if (pthread_create(&thread, NULL, pool_worker, NULL) != 0) abort();
}

__attribute__((destructor)) static void end(void) {
    pthread_mutex_lock(&mutex);
    isOver = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

#elif defined(OPENMP)
#include <omp.h>

static int threads;

void around_main_job(void) {
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += omp_get_thread_num();
    if (sum != 1) abort();
}

__attribute__((constructor)) static void begin(void) {
    threads = omp_get_max_threads() > 0 ? 2 : 0;
    around_main_job();
}

__attribute__((destructor)) static void end(void) {
    around_main_job();
}

#elif defined(FIRST)

static void* stays(void* unused) {
    pause();
    return unused;
}

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, stays, NULL) != 0) abort();
    pthread_setname_np(thread, "stays");
}

#else

int main(void) {
    around_main_job();
    return 0;
}

#endif
