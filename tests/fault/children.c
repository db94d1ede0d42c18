/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes children in all the ways there are, as its argument says. They enter regions while it does. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void workOfParent(int times) {
    for (int i = 0; i < times; ++i) {
        HOLOS_REGION_BEGIN(region, "workOfParent");
        HOLOS_REGION_END(region);
    }
}

/* Also defines things and changes whether it records. */
static int workOfChild(void* unused) {
    (void)unused;
    for (int i = 0; i < 1000; ++i) {
        HOLOS_REGION_BEGIN(region, "workOfChild");
        HOLOS_METRIC_INTEGER("metric of child", "", HOLOS_STATE, i);
        HOLOS_REGION_END(region);
    }
    return 0;
}

static pid_t makeChild(const char* way) {
    static char stack[256 * 1024];
    if (strcmp(way, "_Fork") == 0) return _Fork();
    if (strcmp(way, "system call") == 0) return (pid_t)syscall(SYS_fork);
    if (strcmp(way, "clone") == 0) return clone(workOfChild, stack + sizeof stack, SIGCHLD, NULL);
    return fork();
}

static void waitFor(pid_t child) {
    int status = 0;
    if (child <= 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        exit(1);
}

/* Its frame stays as it was for the parent. */
static void runVfork(const char* way) {
    volatile int numbers[4] = {1, 2, 3, 4};
    const pid_t child = vfork();
    if (child == 0) {
        workOfChild(NULL);
        if (strcmp(way, "vfork and exec") == 0) execl("/bin/sh", "sh", "-c", ":", (char*)NULL);
        _exit(0);
    }
    waitFor(child);
    for (int i = 0; i < 4; ++i)
        if (numbers[i] != i + 1) exit(2);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "fork";
    workOfParent(500);
    if (strncmp(way, "vfork", 5) == 0) {
        runVfork(way);
    } else {
        const pid_t child = makeChild(way);
        if (child == 0) {
            workOfChild(NULL);
            syscall(SYS_exit_group, 0);
        }
        workOfParent(1000);
        waitFor(child);
    }
    workOfParent(1500);
    printf("output of %s\n", way);
    return 0;
}
