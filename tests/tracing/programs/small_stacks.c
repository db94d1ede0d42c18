/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a stack it takes to enter a region where no caller is known yet, as the program sees it: in a
 * thread, in a signal handler, whose frame is an unusual one, and in one that has a stack of its own. */
#include <holos/holos.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPainted = 24 * 1024, kPaint = 0x5A };
static long deepest;

static __attribute__((noinline)) void paint(void) {
    volatile unsigned char* const part = __builtin_alloca(kPainted);
    for (int i = 0; i < kPainted; ++i) part[i] = kPaint;
}

/* Of what `paint` left behind, that which is other by now. */
static __attribute__((noinline)) long countUsed(void) {
    volatile unsigned char* const part = __builtin_alloca(kPainted);
    int left = 0;
    while (left < kPainted && part[left] == kPaint) ++left;
    return kPainted - left;
}

static __attribute__((noinline)) void enter(void) {
    HOLOS_REGION_BEGIN(region, "region");
    HOLOS_REGION_END(region);
}

static __attribute__((noinline)) void measure(void) {
    paint();
    enter();
    const long used = countUsed();
    if (used > deepest) deepest = used;
}

static void handle(int unused) {
    (void)unused;
    measure();
}

static void* work(void* unused) {
    enter(); /* what the thread's first event needs */
    measure();
    raise(SIGUSR1);
    stack_t own = {.ss_sp = malloc(64 * 1024), .ss_size = 64 * 1024};
    sigaltstack(&own, NULL);
    raise(SIGUSR2);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR2, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    /* A stack so small that nearly nothing is left. */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    if (pthread_create(&thread, &attributes, (void* (*)(void*))enter, NULL) != 0) return 2;
    pthread_join(thread, NULL);
    fprintf(stderr, "used %ld\n", deepest);
    return deepest < 4096 ? 0 : 1;
}
