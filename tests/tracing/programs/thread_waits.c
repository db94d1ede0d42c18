/* SPDX-License-Identifier: BSD-3-Clause */
/* Semaphores, barriers and read-write locks that nobody has to wait for but in one round each; and what
 * waiting must not change: errno, the results, and cancellation where a semaphore has tokens. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kRounds = 1000 };

static sem_t tokens, never;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void check(int isRight, const char* what) {
    if (isRight) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void* meets(void* last) {
    for (int i = 0; i < kRounds; ++i)
        *(int*)last += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

static void* isCancelled(void* data) {
    (void)data;
    for (;;) { /* there is always one */
        sem_post(&tokens);
        sem_wait(&tokens);
    }
}

static void* locks(void* data) {
    (void)data;
    for (int i = 0; i < kRounds; ++i) {
        check(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0, "read");
        check(pthread_rwlock_wrlock(&lock) == 0, "write");
        check(pthread_rwlock_wrlock(&lock) == EDEADLK, "write again");
        check(pthread_rwlock_unlock(&lock) == 0, "unlock");
    }
    return NULL;
}

int main(void) {
    sem_init(&tokens, 0, 0);
    sem_init(&never, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    int ofThread = 0, ofMain = 0;

    sem_post(&tokens);
    errno = 0; /* the first call of all, at which a recorder has much to prepare */
    check(sem_wait(&tokens) == 0 && errno == 0, "errno of the first sem_wait");

    pthread_create(&thread, NULL, meets, &ofThread);
    meets(&ofMain);
    pthread_join(thread, NULL);
    check(ofThread + ofMain == kRounds, "one of two is the last at each barrier");

    pthread_create(&thread, NULL, locks, NULL);
    locks(NULL);
    pthread_join(thread, NULL);

    errno = 0;
    struct timespec past = {0, 0};
    check(sem_timedwait(&never, &past) == -1 && errno == ETIMEDOUT, "errno of sem_timedwait");
    check(pthread_rwlock_wrlock(&lock) == 0, "write");
    check(pthread_rwlock_timedrdlock(&lock, &past) != 0, "rdlock of a lock that is written");
    errno = 0;
    sem_post(&tokens);
    check(sem_wait(&tokens) == 0 && errno == 0, "errno of sem_wait");

    pthread_create(&thread, NULL, isCancelled, NULL);
    pthread_cancel(thread);
    void* result = NULL;
    pthread_join(thread, &result);
    check(result == PTHREAD_CANCELED, "cancellation");
    puts("all as without a recorder");
    return 0;
}
