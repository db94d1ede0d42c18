/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions where the calls that led there cannot be found, or not all: on other stacks, deep down, behind
 * damaged return addresses. */
#include <holos/holos.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>
#include <ucontext.h>

enum { kStack = 64 * 1024, kDepth = 20000 };
static volatile int calls;
static ucontext_t here, there;

static __attribute__((noinline)) void enter(void) {
    HOLOS_REGION_BEGIN(region, "region");
    ++calls;
    HOLOS_REGION_END(region);
}

static char* makeStack(void) {
    return mmap(NULL, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void coroutine(void) {
    for (;;) {
        enter();
        swapcontext(&there, &here);
    }
}

/* A coroutine by the C library, whose stack goes away in the end. */
static void switchContexts(void) {
    char* const stack = makeStack();
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = kStack;
    makecontext(&there, coroutine, 0);
    for (int i = 0; i < 3; ++i) {
        swapcontext(&here, &there);
        enter();
    }
    munmap(stack, kStack);
    enter();
}

/* Enters the function on another stack, changed to by hand, without unwind tables, at the very end of mapped
 * memory. */
static void switchStacks(char* stack) {
#if defined(__x86_64__)
    char* const top = stack + kStack - 64;
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%rsp\n\tcall *%1\n\tmovq %%rbx, %%rsp"
                     :
                     : "r"(top), "r"(enter)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
    (void)stack;
#endif
}

static __attribute__((noinline)) int recurse(int depth) {
    if (depth % 100 == 0) enter();
    const int result = depth > 0 ? recurse(depth - 1) + 1 : 0;
    if (depth % 100 == 50) enter();
    return result;
}

/* With return address and frame pointer that are none while the region is entered. */
static __attribute__((noinline)) void damage(uintptr_t value) {
    volatile uintptr_t* const frame = __builtin_frame_address(0);
    const uintptr_t pointer = frame[0];
    const uintptr_t address = frame[1];
    frame[0] = value;
    frame[1] = value;
    enter();
    frame[0] = pointer;
    frame[1] = address;
}

static int run(void* unused) {
    (void)unused;
    enter();
    char inside[kStack];
    switchStacks(inside);
    enter();
    return 0;
}

int main(void) {
    enter();
    switchContexts();
    char* const stack = makeStack();
    switchStacks(stack);
    recurse(kDepth);
    damage(0);
    damage(1);
    damage(~(uintptr_t)0 - 7);
    damage((uintptr_t)stack);
    damage((uintptr_t)&calls);
    damage((uintptr_t)__builtin_frame_address(0));
    damage((uintptr_t)enter + 1);
    thrd_t thread;
    thrd_create(&thread, run, NULL);
    thrd_join(thread, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes,
                          mmap(NULL, 4 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                          4 * kStack);
    pthread_t other;
    pthread_create(&other, &attributes, (void* (*)(void*))run, NULL);
    pthread_join(other, NULL);
    return calls == 0;
}
