/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that are entered below functions of unusual kinds. Each has the name of what leads to it. */
#define _GNU_SOURCE
#include <holos/holos.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "unseen_thread.h"

#define APART __attribute__((noinline, noclone))

enum { kStack = 256 * 1024 };
static volatile int calls;
static ucontext_t here, there;

#define ENTER(name)                       \
    do {                                  \
        HOLOS_REGION_BEGIN(region, name); \
        ++calls;                          \
        HOLOS_REGION_END(region);         \
    } while (0)

static void* memory(int protection) {
    return mmap(NULL, kStack, PROT_READ | PROT_WRITE | protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

APART static void usual(void) {
    ENTER("usual");
}

APART static void inHandlerElsewhere(int unused) {
    (void)unused;
    ENTER("handler elsewhere");
}

APART static void handle(void) {
    const stack_t own = {.ss_sp = malloc(kStack), .ss_size = kStack};
    sigaltstack(&own, NULL);
    const struct sigaction action = {.sa_handler = inHandlerElsewhere, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
}

/* The interrupted instruction is the first of its function. */
__asm__(
    ".text\n\t.globl firstInstruction\n\t.type firstInstruction, "
    "@function\nfirstInstruction:\n\t.cfi_startproc\n\t"
    "ud2\n\tret\n\t.cfi_endproc\n\t.size firstInstruction, . - firstInstruction");
void firstInstruction(void);
static sigjmp_buf afterTrap;
APART static void inTrap(int unused) {
    (void)unused;
    ENTER("trap");
    siglongjmp(afterTrap, 1);
}
APART static void trap(void) {
    signal(SIGILL, inTrap);
    if (sigsetjmp(afterTrap, 1) == 0) firstInstruction();
}

APART static void inContext(void) {
    ENTER("context");
    swapcontext(&there, &here);
}
APART static void switchContext(void) {
    getcontext(&there);
    there.uc_stack.ss_sp = memory(0);
    there.uc_stack.ss_size = kStack;
    makecontext(&there, inContext, 0);
    swapcontext(&here, &there);
}

APART static void fromMadeCode(void) {
    ENTER("made code");
}
APART static void fromOtherMadeCode(void) {
    ENTER("other made code");
}
/* Code that a program makes while it runs has no unwind tables. The second is of another form, in the place
 * of the first. */
APART static void makeCode(void) {
    static const unsigned char small[] = {0x50, 0xFF, 0xD7, 0x58, 0xC3}; /* push, call *%rdi, pop, ret */
    static const unsigned char larger[] = {0x48, 0x83, 0xEC, 0x28, 0xFF, 0xD7, 0x48, 0x83, 0xC4, 0x28, 0xC3};
    unsigned char* const code = memory(PROT_EXEC);
    void (*run)(void (*)(void)) = (void (*)(void (*)(void)))code;
    memcpy(code, small, sizeof small);
    run(fromMadeCode);
    memcpy(code, larger, sizeof larger);
    run(fromOtherMadeCode);
}

/* Written by hand, without unwind tables. */
__asm__(".text\nwithoutTables:\n\tsubq $8, %rsp\n\tcall *%rdi\n\taddq $8, %rsp\n\tret");
void withoutTables(void (*function)(void));
APART static void fromWithoutTables(void) {
    ENTER("without tables");
}

static int cloned(void* unused) {
    (void)unused;
    ENTER("clone");
    return 0;
}
APART static void makeClone(void) {
    char* const stack = memory(0);
    const pid_t child = clone(cloned, stack + kStack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    waitpid(child, NULL, 0);
}

static int inThread(void* unused) {
    (void)unused;
    ENTER("first of a thread");
    return 0;
}
APART static void makeThread(void) {
    runUnseenThread(inThread);
}

APART static void makeVfork(void) {
    const pid_t child = vfork();
    if (child == 0) {
        ENTER("vfork");
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static jmp_buf back;
APART static void deep(int n) {
    volatile char room[100];
    room[n] = 1;
    if (n > 0) return deep(n - 1);
    longjmp(back, 1);
}
APART static void jump(void) {
    if (setjmp(back) == 0) deep(3);
    ENTER("jump");
}

int main(void) {
    usual();
    handle();
    trap();
    usual();
    switchContext();
    makeCode();
    withoutTables(fromWithoutTables);
    makeClone();
    makeThread();
    makeVfork();
    jump();
    usual();
    return calls == 0;
}
