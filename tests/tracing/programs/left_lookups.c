/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's handler leaves calls that are looked for in the stack, each from another place than the one
   before, 200 times; then `after` makes 1000, and a library is loaded and unloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { kJumps = 200, kCalls = 1000, kDepth = 12 };

static sigjmp_buf out;
static volatile int jumps;
static volatile int sink;
static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;

static void leave(int number) {
    (void)number;
    ++jumps;
    siglongjmp(out, 1);
}

static void descend(int depth, unsigned turns);

__attribute__((noinline)) static void left(int depth, unsigned turns) {
    descend(depth, turns);
    ++sink;
}

__attribute__((noinline)) static void right(int depth, unsigned turns) {
    descend(depth, turns);
    --sink;
}

static void descend(int depth, unsigned turns) {
    if (depth == 0)
        pthread_mutex_trylock(&taken);
    else if (turns % 2 == 0)
        left(depth - 1, turns / 2);
    else
        right(depth - 1, turns / 2);
}

__attribute__((noinline)) static void after(void) {
    pthread_mutex_trylock(&taken);
    ++sink;
}

int main(void) {
    struct sigaction action;
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    static unsigned turns;
    void* library;
    int i;
    pthread_mutex_lock(&taken);
    memset(&action, 0, sizeof action);
    action.sa_handler = leave;
    sigaction(SIGALRM, &action, 0);
    sigsetjmp(out, 1);
    if (jumps == 0) setitimer(ITIMER_REAL, &timer, 0);
    while (jumps < kJumps) descend(kDepth, turns++);
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, 0);
    for (i = 0; i < kCalls; ++i) after();
    library = dlopen("libutil.so.1", RTLD_NOW);
    if (library != 0) dlclose(library);
    return 0;
}
