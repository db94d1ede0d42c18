/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with the signal SIGBUS, in the way that its argument says: of the files of its own recording,
   which it cuts while it is recorded, of a file of its own, or sent. Says what it has met. */
#define _GNU_SOURCE
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user_regions.h"

static void* workInAThread(void* unused) {
    work(1000);
    return unused;
}

static void workOn(void) {
    pthread_t thread;
    work(30000);
    nameRegions(1000);
    pthread_create(&thread, NULL, workInAThread, NULL);
    pthread_join(thread, NULL);
    puts("worked on");
}

/* As when a disk loses what it has. */
static void cut(const char* name) {
    char pattern[4096];
    glob_t found;
    if (getenv("HOLOS_RECORDING") == NULL) return;
    snprintf(pattern, sizeof pattern, "%s/*/%s", getenv("HOLOS_RECORDING"), name);
    if (glob(pattern, 0, NULL, &found) != 0) exit(3);
    for (size_t i = 0; i < found.gl_pathc; ++i)
        if (truncate(found.gl_pathv[i], 0) != 0) exit(4);
    globfree(&found);
}

static volatile char* pageWithoutAFile(void) {
    char name[] = "/tmp/holos-XXXXXX";
    const int file = mkstemp(name);
    unlink(name);
    if (file < 0 || ftruncate(file, 1) != 0) exit(5);
    volatile char* const page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED || ftruncate(file, 0) != 0) exit(6);
    close(file);
    return page;
}

static sigjmp_buf behindFault;
static volatile sig_atomic_t handled = 0;
static volatile sig_atomic_t code = 0;
static volatile sig_atomic_t isBlocked = 0;

static void noteFault(int signal, siginfo_t* info, void* context) {
    sigset_t mask;
    (void)context;
    ++handled;
    code = info->si_code;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    isBlocked = sigismember(&mask, signal) * 10 + sigismember(&mask, SIGUSR1);
    if (info->si_code > 0) siglongjmp(behindFault, 1);
}

static void setHandler(int flags) {
    struct sigaction action = {0};
    action.sa_sigaction = noteFault;
    action.sa_flags = SA_SIGINFO | flags;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGBUS, &action, NULL);
}

static void fault(void) {
    volatile char* const page = pageWithoutAFile();
    if (sigsetjmp(behindFault, 1) == 0) *page = 1;
}

static void say(void) {
    printf("handled %d, code %d, blocked %d\n", (int)handled, (int)code, (int)isBlocked);
    fflush(stdout);
}

static void withAHandler(int flags) {
    setHandler(flags);
    cut("events");
    work(30000);
    fault();
    say();
    raise(SIGBUS);
    say();
    fault();
    say();
}

static void handle(int signal) {
    handled += signal == SIGBUS;
}

static void askForHandlers(void) {
    struct sigaction before = {0};
    sigaction(SIGBUS, NULL, &before);
    printf("default %d\n", before.sa_handler == SIG_DFL);
    printf("default %d\n", signal(SIGBUS, handle) == SIG_DFL);
    sigaction(SIGBUS, NULL, &before);
    printf("own %d\n", before.sa_handler == handle);
    raise(SIGBUS);
    printf("ignored %d\n", signal(SIGBUS, SIG_IGN) == handle);
    raise(SIGBUS);
    printf("handled %d\n", (int)handled);
    signal(SIGBUS, SIG_DFL);
    fflush(stdout);
    raise(SIGBUS);
}

int main(int argc, char** argv) {
    const char* const way = argc > 1 ? argv[1] : "";
    work(10);
    if (strcmp(way, "cut") == 0) {
        cut(argv[2]);
        workOn();
    }
    if (strcmp(way, "handler") == 0) withAHandler(0);
    if (strcmp(way, "handler once") == 0) withAHandler(SA_RESETHAND);
    if (strcmp(way, "handler with all") == 0) withAHandler(SA_NODEFER | SA_ONSTACK);
    if (strcmp(way, "none") == 0) fault();
    if (strcmp(way, "asks") == 0) askForHandlers();
    return 0;
}
