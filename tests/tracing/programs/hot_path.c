/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and user regions while system calls end the program, and allocations and locks are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <holos/holos.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

static int isCounting, allocations, locks;
static int (*lockOfLibrary)(pthread_mutex_t*);

extern void* __libc_malloc(size_t size);
PLAIN void* malloc(size_t size) {
    allocations += isCounting;
    return __libc_malloc(size);
}

PLAIN int pthread_mutex_lock(pthread_mutex_t* mutex) {
    locks += isCounting;
    if (lockOfLibrary == NULL) *(void**)&lockOfLibrary = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return lockOfLibrary(mutex);
}

/* All that is left are writing, ending, and the end of a signal's handler (readable_register.c); anything
 * else kills the process. */
PLAIN static int forbidSystemCalls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static volatile int sum;
static void work(int i) {
    sum += i;
}

PLAIN static void step(int i) {
    HOLOS_REGION_BEGIN(region, "step");
    work(i);
    HOLOS_REGION_END(region);
}

PLAIN int main(void) {
    char text[64];
    int i, length;
    step(0); /* what is met for the first time is defined */
    if (!forbidSystemCalls()) {
        puts("cannot forbid system calls");
        return 0;
    }
    isCounting = 1;
    for (i = 0; i < 1000; ++i) step(i);
    isCounting = 0;
    length = snprintf(text, sizeof text, "%d allocations, %d locks\n", allocations, locks);
    if (write(STDOUT_FILENO, text, (size_t)length) != length) return 1;
    syscall(SYS_exit_group, 0);
    return 1;
}
