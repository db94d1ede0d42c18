/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that forbids itself the clock of the processor, or system calls, as its first argument says, and
   enters as many regions as its second one says after that. It then ends in a way that it is allowed. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 77

static void work(long regions) {
    for (long i = 0; i < regions; ++i) {
        HOLOS_REGION_BEGIN(region, "work");
        HOLOS_REGION_END(region);
    }
}

static void say(const char* text) {
    syscall(SYS_write, 1, text, strlen(text));
}

static void* sleepAMoment(void* unused) {
    usleep(10);
    return unused;
}

#ifdef PR_SET_TSC
static void withoutClock(long regions) {
    pthread_t thread;
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) exit(CANNOT);
    work(regions);
    pthread_create(&thread, NULL, sleepAMoment, NULL);
    pthread_join(thread, NULL);
    usleep(1000);
    puts("end");
}
#endif

static void strictly(int isByNumber, long regions) {
    const long error = isByNumber ? syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL)
                                  : prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (error != 0) exit(CANNOT);
    work(regions);
    say("end\n");
    syscall(SYS_exit, 0);
}

#define ALLOW(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter fewCalls[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(SYS_read),
    ALLOW(SYS_write),
    ALLOW(SYS_exit),
    ALLOW(SYS_exit_group),
    ALLOW(SYS_rt_sigreturn),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};
static const struct sock_fprog few = {sizeof fewCalls / sizeof fewCalls[0], fewCalls};

/* First asks whether there is seccomp(2), as libraries for it do. */
static void withFewCallsAsAsked(long regions) {
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) == 0) exit(CANNOT);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(CANNOT);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &few) != 0) exit(CANNOT);
    work(regions);
    say("end\n");
}

static void withFewCalls(long regions) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(CANNOT);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &few) != 0) exit(CANNOT);
    work(regions);
    say("end\n");
}

static void allWithFewCalls(long regions) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(CANNOT);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &few) != 0) exit(CANNOT);
    work(regions);
    say("end\n");
    syscall(SYS_exit_group, 0);
}

#if defined(__x86_64__) && !defined(BY_THE_LIBRARY_ONLY)
/* Nobody sees the filter. */
static void withFewCallsByAnInstruction(long regions) {
    long result;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(CANNOT);
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_seccomp), "D"((long)SECCOMP_SET_MODE_FILTER), "S"(0L), "d"(&few)
                     : "rcx", "r11", "memory");
    if (result != 0) exit(CANNOT);
    work(regions);
    say("end\n");
    syscall(SYS_exit_group, 0);
}
#endif

/* The recorder notices what it may still do, and the others go on. */
static void* workBeside(void* regions) {
    work((long)regions);
    return NULL;
}

static void besideAStrictThread(long regions) {
    pthread_t thread;
    pthread_create(&thread, NULL, workBeside, (void*)regions);
    strictly(0, regions);
}

static void inAChild(long regions) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) strictly(0, regions);
    waitpid(child, &status, 0);
    work(regions);
    printf("%d\n", status);
}

/* Promises what a filter needs, and sets none. */
static void withoutAFilter(long regions) {
    pthread_t thread;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(CANNOT);
    pthread_create(&thread, NULL, workBeside, (void*)regions);
    pthread_join(thread, NULL);
    puts("end");
}

int main(int argc, char** argv) {
    const char* const way = argc > 1 ? argv[1] : "";
    const long regions = argc > 2 ? atol(argv[2]) : 0;
    work(10);
#ifdef PR_SET_TSC
    if (strcmp(way, "no clock") == 0) withoutClock(regions);
#endif
    if (strcmp(way, "strict") == 0) strictly(0, regions);
    if (strcmp(way, "strict by number") == 0) strictly(1, regions);
    if (strcmp(way, "few calls as asked") == 0) withFewCallsAsAsked(regions);
    if (strcmp(way, "few calls") == 0) withFewCalls(regions);
    if (strcmp(way, "all few calls") == 0) allWithFewCalls(regions);
#if defined(__x86_64__) && !defined(BY_THE_LIBRARY_ONLY)
    if (strcmp(way, "unseen") == 0) withFewCallsByAnInstruction(regions);
#endif
    if (strcmp(way, "beside") == 0) besideAStrictThread(regions);
    if (strcmp(way, "child") == 0) inAChild(regions);
    if (strcmp(way, "only promises") == 0) withoutAFilter(regions);
    return 0;
}
