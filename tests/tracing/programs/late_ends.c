/* SPDX-License-Identifier: BSD-3-Clause */
/* The program ends while a thread is in a destructor, after all others of that thread. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_key_t key;
static sem_t ends;
static int calls;

/* The C library calls it again as long as it leaves a value, but no more than four times. */
static void destroy(void* value) {
    if (++calls < 4) {
        pthread_setspecific(key, value);
        return;
    }
    sem_post(&ends);
    pause();
}

static void* work(void* unused) {
    (void)unused;
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&ends, 0, 0);
    pthread_key_create(&key, destroy);
    if (pthread_create(&thread, NULL, work, NULL) != 0) return 1;
    sem_wait(&ends);
    return 0;
}
