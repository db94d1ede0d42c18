/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that sleep in functions of the C library, one after the other. Each is seen to sleep by the main
 * thread, which then computes for at least PAUSE nanoseconds before it does what the thread waits for. Then
 * many calls that do not sleep, and threads that are cancelled or interrupted while they sleep. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asleep.h"

#define PAUSE 20000000

static int ends[2]; /* of a pipe */
static int sockets[2];
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int word; /* of a futex */
static pid_t child;
static atomic_int id;
static char byte;
static pthread_t thread;
static int events; /* of epoll */

static void check(int isRight, const char* what) {
    if (isRight) return;
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    _exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void awaitSleep(void) {
    while (id == 0) {
    }
    awaitSleepOf(id);
    for (const long long begin = now(); now() - begin < PAUSE;) {
    }
}

static int sleepInRead(void) {
    return read(ends[0], &byte, 1) == 1;
}
static int sleepInPoll(void) {
    struct pollfd file = {ends[0], POLLIN, 0};
    return poll(&file, 1, -1) == 1;
}
static int sleepInSelect(void) {
    fd_set files;
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    return select(ends[0] + 1, &files, NULL, NULL, NULL) == 1;
}
static int sleepInEpollWait(void) {
    struct epoll_event event;
    return epoll_wait(events, &event, 1, -1) == 1;
}
static int sleepInRecv(void) {
    return recv(sockets[0], &byte, 1, 0) == 1;
}
static int sleepInSemaphore(void) {
    return sem_wait(&semaphore) == 0;
}
static int sleepInBarrier(void) {
    const int result = pthread_barrier_wait(&barrier);
    return result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD;
}
static int sleepInRwlock(void) {
    return pthread_rwlock_wrlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0;
}
static int sleepInWaitpid(void) {
    return waitpid(child, NULL, 0) == child;
}
static int sleepInNanosleep(void) {
    const struct timespec time = {0, 2 * PAUSE};
    return nanosleep(&time, NULL) == 0;
}
static int isInterruptedInUsleep(void) {
    return usleep(999999) == -1 && errno == EINTR;
}
static int sleepInPause(void) {
    return pause() == -1 && errno == EINTR;
}
static int sleepInFutex(void) {
    return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0;
}
static int sleepInEpollPwait2(void) {
    struct epoll_event event;
    return epoll_pwait2(events, &event, 1, NULL, NULL) == 1;
}
static int isCancelledInRead(void) {
    return read(ends[0], &byte, 1) == -2; /* does not return */
}

static void writeByte(void) {
    check(write(ends[1], "x", 1) == 1, "write");
}
static void writeAndRead(void) {
    writeByte();
    pthread_join(thread, NULL);
    check(read(ends[0], &byte, 1) == 1, "read");
}
static void sendByte(void) {
    check(send(sockets[1], "x", 1, 0) == 1, "send");
}
static void post(void) {
    sem_post(&semaphore);
}
static void comeToBarrier(void) {
    sleepInBarrier();
}
static void unlockRwlock(void) {
    pthread_rwlock_unlock(&rwlock);
}
static void killChild(void) {
    kill(child, SIGKILL);
}
static void doNothing(void) {}
static void wakeFutex(void) {
    word = 1;
    check(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1, "futex");
}
static void interrupt(void) {
    pthread_kill(thread, SIGUSR1);
}
static void interruptForLong(void) {
    pthread_kill(thread, SIGUSR2);
}
static void cancel(void) {
    pthread_cancel(thread);
}

struct Case {
    int (*sleep)(void);
    void (*wake)(void);
};
static const struct Case cases[] = {
    {sleepInRead, writeByte},
    {sleepInPoll, writeAndRead},
    {sleepInSelect, writeAndRead},
    {sleepInEpollWait, writeAndRead},
    {sleepInRecv, sendByte},
    {sleepInSemaphore, post},
    {sleepInBarrier, comeToBarrier},
    {sleepInRwlock, unlockRwlock},
    {sleepInWaitpid, killChild},
    {sleepInNanosleep, doNothing},
    {sleepInPause, interrupt},
    {sleepInFutex, wakeFutex},
    {sleepInEpollPwait2, writeAndRead},
    {isInterruptedInUsleep, interruptForLong},
    {isCancelledInRead, cancel},
};

static void* sleeper(void* data) {
    const struct Case* const own = data;
    id = (int)syscall(SYS_gettid);
    check(own->sleep(), "sleep");
    return NULL;
}

static void handle(int signal) {
    (void)signal;
}

/* Works for longer than the thread slept before. */
static void handleForLong(int signal) {
    (void)signal;
    for (const long long begin = now(); now() - begin < 10 * PAUSE;) {
    }
}

static void prepare(void) {
    check(pipe(ends) == 0, "pipe");
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "socketpair");
    struct epoll_event event = {EPOLLIN, {NULL}};
    events = epoll_create1(0);
    check(epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &event) == 0, "epoll_ctl");
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_rwlock_wrlock(&rwlock);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = handleForLong;
    sigaction(SIGUSR2, &action, NULL);
    child = fork();
    while (child == 0) pause();
}

int main(void) {
    prepare();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        id = 0;
        check(pthread_create(&thread, NULL, sleeper, (void*)&cases[i]) == 0, "pthread_create");
        awaitSleep();
        cases[i].wake();
        if (cases[i].wake != writeAndRead) pthread_join(thread, NULL);
    }
    const int zeros = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 200000; ++i) check(read(zeros, &byte, 1) == 1, "read");
    return 0;
}
