/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that has functions of its own by the names of C11, as libraries for systems without these do,
 * with types of its own: its mutexes are bytes. With MAIN: a program that uses it. */
#include <pthread.h>
#include <stddef.h>

typedef char mtx_t;
typedef void* thrd_t;
int thrd_create(thrd_t* thread, int (*function)(void*), void* argument);
int thrd_join(thrd_t thread, int* result);
int mtx_lock(mtx_t* mutex);
int mtx_unlock(mtx_t* mutex);

#ifdef MAIN
#include <sys/mman.h>

enum { kPage = 4096, kLeft = 7 };

static int work(void* mutex) {
    return mtx_lock(mutex) == 0 && mtx_unlock(mutex) == 0 ? kLeft : 0;
}

int main(void) {
    char* const pages = mmap(NULL, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + kPage, kPage, PROT_NONE) != 0) return 1;
    mtx_t* const mutex = pages + kPage - 1; /* behind it lies memory that nobody may read */
    thrd_t thread;
    int left = 0;
    if (mtx_lock(mutex) != 0 || thrd_create(&thread, work, mutex) != 0) return 1;
    if (mtx_unlock(mutex) != 0 || thrd_join(thread, &left) != 0) return 1;
    return left != kLeft;
}
#else
#include <sched.h>
#include <stdlib.h>

struct thread {
    pthread_t id;
    int (*function)(void*);
    void* argument;
    int result;
};

static void* begin(void* data) {
    struct thread* const thread = data;
    thread->result = thread->function(thread->argument);
    return NULL;
}

int thrd_create(thrd_t* thread, int (*function)(void*), void* argument) {
    struct thread* const made = malloc(sizeof *made);
    *made = (struct thread){.function = function, .argument = argument};
    *thread = made;
    return pthread_create(&made->id, NULL, begin, made);
}
int thrd_join(thrd_t thread, int* result) {
    struct thread* const joined = thread;
    const int error = pthread_join(joined->id, NULL);
    *result = joined->result;
    free(joined);
    return error;
}
int mtx_lock(mtx_t* mutex) {
    while (__atomic_exchange_n(mutex, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
    return 0;
}
int mtx_unlock(mtx_t* mutex) {
    __atomic_store_n(mutex, 0, __ATOMIC_RELEASE);
    return 0;
}
#endif
