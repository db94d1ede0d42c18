/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what runtimes of languages do: goes on after faults and after the end of a stack by a handler on a
 * stack of its own, runs on stacks that it made, and ends by the system call. Its status is 5. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { kStack = 1 << 18, kFaults = 2000, kSwitches = 2000 };

static sigjmp_buf back;
static ucontext_t outside, inside;
static volatile int work;

static void handle(int signal) {
    (void)signal;
    siglongjmp(back, 1);
}

static int faults(const volatile int* page) {
    int count = 0;
    int i;
    for (i = 0; i < kFaults; ++i) {
        if (sigsetjmp(back, 1) != 0)
            ++*(volatile int*)&count;
        else
            work += *page;
    }
    return count;
}

static int deep(int depth) {
    volatile char room[1024];
    room[0] = (char)depth;
    return depth < 0 ? 0 : deep(depth + 1) + room[0];
}

static int endOfStack(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 1 << 22;
    setrlimit(RLIMIT_STACK, &limit);
    return sigsetjmp(back, 1) != 0 ? 1 : deep(0);
}

static void onOwnStack(void) {
    for (;;) {
        int i;
        for (i = 0; i < 10000; ++i) work += i;
        swapcontext(&inside, &outside);
    }
}

static int switches(void) {
    int i;
    getcontext(&inside);
    inside.uc_stack.ss_sp = malloc(kStack);
    inside.uc_stack.ss_size = kStack;
    makecontext(&inside, onOwnStack, 0);
    for (i = 0; i < kSwitches; ++i) swapcontext(&outside, &inside);
    return i;
}

int main(void) {
    const volatile int* page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {0};
    struct sigaction action = {0};
    stack.ss_sp = malloc(kStack);
    stack.ss_size = kStack;
    sigaltstack(&stack, NULL);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, NULL);
    printf("%d faults, ", faults(page));
    printf("%d end of the stack, ", endOfStack());
    printf("%d switches\n", switches());
    fflush(stdout);
    syscall(SYS_exit_group, 5);
    return 0;
}
