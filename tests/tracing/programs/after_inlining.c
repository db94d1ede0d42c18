/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled by `holos cc`, optimised. Prints what it computes, which is the same however it is compiled.
   Argument: a library of the same source. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone))

static volatile int one = 1;

static inline int get(int x) {
    return x + one;
}

KEPT static int sum(int n) {
    int result = 0;
    int i;
    for (i = 0; i < n; ++i) result += get(i);
    return result;
}

#ifdef LIBRARY

int in_library(int n) {
    return sum(n);
}

#else

static jmp_buf place;

KEPT static int tiny(int x) {
    return x + one;
}

__attribute__((constructor)) static void early(void) {
    sum(1);
}

/* Ends with a jump, where the compiler may do so. */
KEPT static int last(int n) {
    if (n < 0) puts("never");
    return sum(n + one);
}

KEPT static void jump(int n) {
    if (n == 0) longjmp(place, 1);
    jump(n - 1);
    puts("never");
}

/* A function that nobody instrumented, and that takes more of the stack than those that a jump has left. */
__attribute__((no_instrument_function)) KEPT static int deeper(void) {
    volatile char room[10000];
    room[0] = (char)one;
    return sum(room[0]) + one;
}

static void handle(int number) {
    (void)number;
    sum(one);
}

KEPT static void* run(void* unused) {
    sum(one);
    return unused;
}

KEPT static void both(double x, long double y, const char* text, int a, int b, int c, int d) {
    printf("%.2f %.2Lf %s %d %d %d %d\n", x, y, text, a, b, c, d);
}

KEPT static long double half(long double x) {
    int i;
    for (i = 0; i < one; ++i) x /= 2;
    return x;
}

KEPT static void finish(void) {
    sum(one);
    exit(0);
}

static void load(const char* file) {
    int (*loaded)(int) = NULL;
    void* const library = dlopen(file, RTLD_NOW);
    *(void**)&loaded = dlsym(library, "in_library");
    printf("%d\n", loaded(2));
}

int main(int count, char** words) {
    pthread_t thread;
    if (count > 1) load(words[1]);
    printf("%d\n", tiny(1) + last(1));
    if (setjmp(place) == 0) jump(2);
    printf("%d\n", deeper());
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    both(1.5, half(5), "text", 1, 2, 3, 4);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    finish();
}

#endif
