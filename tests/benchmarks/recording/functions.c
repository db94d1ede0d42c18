/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of a call of a tiny function, which `holos cc` compiled. Prints nanoseconds. */
#include "cheapest.h"

#include <stdio.h>

static int sum;

__attribute__((noinline)) static int tiny(int x) {
    __asm__ volatile("");
    return x + 1;
}

static void calls(int count) {
    int i;
    for (i = 0; i < count; ++i) sum = tiny(sum);
}

int main(void) {
    enum { kBatches = 100, kCalls = 10000 };
    printf("%.1f\n", cheapest(kBatches, kCalls, calls));
    return sum != kBatches * kCalls;
}
