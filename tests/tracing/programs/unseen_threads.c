/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that the C library starts itself: for a timer (`timer`), and to read a file (`read`). A thread that
 * a second C library starts, in a namespace of its own (`namespace`). */
#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static sem_t came;

static void on_timer(union sigval value) {
    sem_post((sem_t*)value.sival_ptr);
}

static int waitForTimer(void) {
    struct sigevent event = {0};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = on_timer;
    event.sigev_value.sival_ptr = &came;
    const struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    sem_init(&came, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &often, NULL) != 0)
        return 1;
    for (int i = 0; i < 3; ++i) sem_wait(&came);
    return timer_delete(timer);
}

static int readInTheBackground(void) {
    static char byte;
    struct aiocb request = {0};
    request.aio_fildes = open("/proc/self/exe", O_RDONLY);
    request.aio_buf = &byte;
    request.aio_nbytes = 1;
    if (aio_read(&request) != 0) return 1;
    const struct aiocb* const all[] = {&request};
    return aio_suspend(all, 1, NULL);
}

static void* useProcessor(void* result) {
    struct timespec used = {0, 0};
    while (used.tv_sec == 0 && used.tv_nsec < 500000000) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return result;
}

static int threadOfASecondLibrary(void) {
    void* const library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    if (library == NULL) return 1;
    int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    int (*join)(pthread_t, void**);
    *(void**)&create = dlsym(library, "pthread_create");
    *(void**)&join = dlsym(library, "pthread_join");
    pthread_t thread;
    if (create == NULL || join == NULL || create(&thread, NULL, useProcessor, NULL) != 0) return 1;
    return join(thread, NULL);
}

int main(int count, char** words) {
    const char* const kind = count > 1 ? words[1] : "read";
    if (strcmp(kind, "timer") == 0) return waitForTimer();
    return strcmp(kind, "namespace") == 0 ? threadOfASecondLibrary() : readInTheBackground();
}
