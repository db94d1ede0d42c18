/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of all forms that compilers give frames, for `stepped_calls_test.cpp`. */
#define _GNU_SOURCE
#include <alloca.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))
#define RARE __attribute__((noinline, cold))

static volatile int sink = 3;
static __thread int ofThread;

static APART int leaf(int n) {
    return n * 3 + sink;
}

static APART int withArray(int n) {
    volatile char room[200];
    room[n] = 1;
    return leaf(n) + room[n];
}

/* Most calls need no frame, which compilers make late. */
static APART int shrinkWrapped(const int* values, int n) {
    if (values == NULL || n <= 0) return 0;
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += leaf(values[i]) * leaf(sum);
    return sum;
}

static APART int manyRegisters(int a, int b, int c, int d, int e, int f) {
    int sum = 0;
    for (int i = 0; i < 2; ++i) sum += leaf(a) * b + leaf(c) * d + leaf(e) * f + leaf(sum);
    return sum + a + b + c + d + e + f;
}

static APART int manyArguments(int a, int b, int c, int d, int e, int f, int g, long h, int i) {
    return leaf(a + b) + c + d + e + f + g + (int)h + leaf(i);
}

static APART int withVariableFrame(int n) {
    int sum = 0;
    for (int i = 1; i < 3; ++i) {
        volatile char* room = alloca((size_t)(n + i) * 24);
        room[i] = (char)i;
        sum += leaf(room[i]);
    }
    return sum;
}

static APART int withVariableArray(int n) {
    volatile int room[n];
    room[n - 1] = leaf(n);
    return manyArguments(n, 1, 2, 3, 4, 5, 6, 7, room[n - 1]);
}

static APART int withLargeFrame(int n) {
    volatile char room[40000];
    room[n] = 1;
    return withArray(n) + room[n];
}

static APART int withRealignedFrame(int n) {
    volatile _Alignas(64) char room[64];
    room[n] = 2;
    return leaf(n) + room[n];
}

static APART int withRealignedVariableFrame(int n) {
    volatile _Alignas(128) char room[128];
    volatile char* more = alloca((size_t)n * 8);
    room[n] = 2;
    more[0] = 1;
    return manyArguments(n, 1, 2, 3, 4, 5, 6, 7, leaf(n)) + room[n] + more[0];
}

static APART int byTailCall(int n) {
    return withArray(n + 1);
}

static APART int recursive(int n) {
    return n == 0 ? leaf(1) : recursive(n - 1) + recursive(n / 2) * n;
}

static APART double sumOf(int n, ...) {
    va_list arguments;
    va_start(arguments, n);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += va_arg(arguments, double);
    va_end(arguments);
    return sum + leaf(n);
}

static APART int chosen(int n, int value) {
    static int (*const all[])(int) = {leaf, withArray, byTailCall};
    switch (n) {
        case 0:
            return all[value % 3](value);
        case 1:
            return withArray(value) + all[n](1);
        case 2:
            return leaf(value) * all[0](2);
        case 3:
            return byTailCall(2);
        case 4:
            return sink;
        default:
            return -1;
    }
}

static RARE int rarely(int n) {
    return withArray(n) + 1;
}

/* Part of it stands elsewhere, among what runs rarely. */
static APART int withColdPart(int n) {
    int sum = leaf(n);
    if (__builtin_expect(n > 2, 0)) sum += rarely(n) + rarely(sum & 7) * sum;
    return sum + leaf(sum);
}

static jmp_buf back;

/* The call that does not return is the last instruction of its function. */
static __attribute__((noreturn, noinline)) void leave(int n) {
    withArray(n);
    longjmp(back, 1 + leaf(n));
}
static __attribute__((noreturn, noinline)) void leaveSoon(void) {
    leave(1);
}

static APART int withJump(void) {
    if (setjmp(back) != 0) return leaf(2);
    leaveSoon();
}

static void handle(int number) {
    sink += withArray(number & 3) - sink;
}

static APART int withSignal(void) {
    struct sigaction action = {.sa_handler = handle};
    struct sigaction before;
    sigaction(SIGUSR1, &action, &before);
    const int failed = raise(SIGUSR1);
    sigaction(SIGUSR1, &before, NULL);
    return failed + leaf(1);
}

static int compare(const void* a, const void* b) {
    return *(const int*)a - *(const int*)b + leaf(0) * 0;
}

/* Functions of the C library, partly made by hand, and those that the kernel brings. */
static APART int withLibrary(void) {
    int values[] = {3, 1, 2};
    qsort(values, 3, sizeof *values, compare);
    char text[64];
    snprintf(text, sizeof text, "%d %.3f %s", values[0], 1.5, "text");
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char* copy = malloc(300);
    memset(copy, 1, 300);
    memcpy(copy + 1, text, strlen(text));
    const int found = memchr(copy, 'x', 300) != NULL;
    free(copy);
    return found + (int)strtol(text, NULL, 10) + (int)pow(2.5, sink) + (int)now.tv_nsec * 0;
}

static APART int withThreadsOwn(int n) {
    ofThread += leaf(n);
    return ofThread;
}

struct Large {
    long words[12];
};
static APART struct Large makeLarge(int n) {
    struct Large made = {{leaf(n)}};
    return made;
}
static APART int takeLarge(struct Large large, int n) {
    return (int)large.words[0] + leaf(n) + (int)makeLarge(n).words[n];
}

static void cleanUp(int* value) {
    sink += leaf(*value) * 0;
}
static APART int withCleanUp(int n) {
    __attribute__((cleanup(cleanUp))) int value = n;
    return leaf(value);
}

void stepped(void) {
    const int values[] = {1, 2, 3};
    sink = 3;
    int sum = shrinkWrapped(values, 3) + shrinkWrapped(NULL, 3);
    sum += manyRegisters(1, 2, 3, 4, 5, 6) + manyArguments(1, 2, 3, 4, 5, 6, 7, 8, 9);
    sum += withVariableFrame(2) + withVariableArray(5) + withLargeFrame(3) + withRealignedFrame(4);
    sum += withRealignedVariableFrame(5) + byTailCall(1) + recursive(4) + (int)sumOf(2, 1.0, 2.0);
    for (int i = 0; i < 6; ++i) sum += chosen(i, i) + withColdPart(i);
    sum += withJump() + withSignal() + withLibrary() + withThreadsOwn(1);
    sum += takeLarge(makeLarge(2), 3) + withCleanUp(4);
    sink = sum;
}
