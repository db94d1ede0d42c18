/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that the C library starts itself: for a timer (`timer`), and to read a file (`read`). */
#include <aio.h>
#include <fcntl.h>
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

int main(int count, char** words) {
    return count > 1 && strcmp(words[1], "timer") == 0 ? waitForTimer() : readInTheBackground();
}
