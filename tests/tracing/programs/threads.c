/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that has to wait for a mutex, and one that waits for a condition: the order is always the same. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int isReady = 0;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    isReady = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void* idle(void* unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    while (!isReady) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, NULL);
}
