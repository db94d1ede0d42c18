/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits with a timeout: three that it ends after a tenth of a second, at a condition, a semaphore and a
 * read-write lock, while another thread uses their mutex; and one for which it comes much later than the
 * signal. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tokens, begun;
static int isReady, isOver;

static struct timespec in(long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds % 1000 * 1000000;
    time.tv_sec += milliseconds / 1000 + time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void check(int isRight) {
    if (!isRight) exit(1);
}

static void* usesTheMutex(void* unused) {
    pthread_rwlock_wrlock(&lock);
    sem_post(&begun);
    for (;;) {
        usleep(1000);
        pthread_mutex_lock(&mutex);
        const int ends = isOver;
        pthread_mutex_unlock(&mutex);
        if (ends) break;
    }
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void* signals(void* unused) {
    pthread_mutex_lock(&mutex); /* the other one waits */
    pthread_mutex_unlock(&mutex);
    usleep(200000);
    pthread_mutex_lock(&mutex);
    isReady = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&ready);
    return unused;
}

int main(void) {
    pthread_t user, signaller;
    sem_init(&tokens, 0, 0);
    sem_init(&begun, 0, 0);
    pthread_create(&user, NULL, usesTheMutex, NULL);
    sem_wait(&begun);
    struct timespec until = in(100);
    pthread_mutex_lock(&mutex);
    check(pthread_cond_timedwait(&never, &mutex, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    until = in(100);
    check(sem_timedwait(&tokens, &until) == -1 && errno == ETIMEDOUT);
    until = in(100);
    check(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
    pthread_mutex_lock(&mutex);
    isOver = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(user, NULL);

    until = in(600000);
    pthread_mutex_lock(&mutex);
    pthread_create(&signaller, NULL, signals, NULL);
    while (!isReady) check(pthread_cond_timedwait(&ready, &mutex, &until) == 0);
    pthread_mutex_unlock(&mutex);
    return pthread_join(signaller, NULL);
}
