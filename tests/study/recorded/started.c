/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that starts threads by itself, with one fault, by name, in the function of that name: started
 * FAULT [STEPS]. */
#include <pthread.h>
#include <stdint.h>

#include "planted.h"

enum { kThreads = 3 };

static int steps = 30;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int there, taken; /* pieces of work: made, and begun */

/* Makes one piece of work after the other. */
static void* producer(void* nothing) {
    for (int i = 0; i < steps; ++i) {
        compute(40);
        pthread_mutex_lock(&mutex);
        ++there;
        pthread_mutex_unlock(&mutex);
        pthread_cond_broadcast(&changed);
    }
    return nothing;
}

/* By the processor's time: who sleeps nearly always has no work. */
static void burn(double milliseconds) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const double end = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 + milliseconds;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 < end);
}

static int consumers;

/* One of several that take pieces in turn, until there is none to come. */
static void* consumer(void* number) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while ((there == taken || taken % consumers != (intptr_t)number) && taken < steps)
            pthread_cond_wait(&changed, &mutex);
        const int is_over = taken == steps;
        if (!is_over) ++taken;
        pthread_mutex_unlock(&mutex);
        pthread_cond_broadcast(&changed);
        if (is_over) return NULL;
        if (consumers > 1) burn(15);
    }
}

static void* uneven_ends(void* number) {
    compute(((intptr_t)number == 1 ? 45 : 15) * steps);
    return NULL;
}

static void* even_ends(void* nothing) {
    compute(20 * steps);
    return nothing;
}

static void start(int count, void* (*run)(void*), pthread_t* threads) {
    for (intptr_t i = 0; i < count; ++i) pthread_create(&threads[i], NULL, run, (void*)i);
}

static void join(int count, const pthread_t* threads) {
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void start_and_join(void* (*run)(void*)) {
    pthread_t threads[kThreads];
    start(kThreads, run, threads);
    join(kThreads, threads);
}

/* Several wait for one. */
PART queue(void) {
    pthread_t one, others[2];
    consumers = 2;
    pthread_create(&one, NULL, producer, NULL);
    start(2, consumer, others);
    join(1, &one);
    join(2, others);
}

/* One that has hardly anything to do. */
PART servant(void) {
    pthread_t other;
    consumers = 1;
    start(1, consumer, &other);
    producer(NULL);
    join(1, &other);
}

int main(int count, char** arguments) {
    if (count > 2) steps = atoi(arguments[2]);
    const char* const fault = count > 1 ? arguments[1] : "";
    if (strcmp(fault, "producer") == 0) queue();
    if (strcmp(fault, "servant") == 0) servant();
    if (strcmp(fault, "uneven_ends") == 0) start_and_join(uneven_ends);
    if (strcmp(fault, "even_ends") == 0) start_and_join(even_ends);
}
