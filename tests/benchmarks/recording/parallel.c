/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time that the master spends on an empty parallel region. Prints nanoseconds. */
#include "cheapest.h"

#include <stdio.h>

static void regions(int count) {
    int i;
    for (i = 0; i < count; ++i) {
#pragma omp parallel
        __asm__ volatile("");
    }
}

int main(void) {
    printf("%.1f\n", cheapest(400, 50, regions));
    return 0;
}
