/* SPDX-License-Identifier: BSD-3-Clause */
/* A spin lock that nobody else wants, a thousand times, and then once while another thread has found it
 * taken. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static atomic_int isTaken, isFound;

static void* want(void* unused) {
    while (!atomic_load(&isTaken)) {
    }
    while (pthread_spin_trylock(&lock) == 0) pthread_spin_unlock(&lock);
    atomic_store(&isFound, 1);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, want, NULL);
    for (int i = 0; i < 1000; ++i) {
        pthread_spin_lock(&lock);
        pthread_spin_unlock(&lock);
    }
    pthread_spin_lock(&lock);
    atomic_store(&isTaken, 1);
    while (!atomic_load(&isFound)) {
    }
    pthread_spin_unlock(&lock);
    return pthread_join(thread, NULL);
}
