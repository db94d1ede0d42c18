// SPDX-License-Identifier: BSD-3-Clause
#define _POSIX_C_SOURCE 200809L
#include "delay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

void delay(double milliseconds) {
    const double end = now() + milliseconds;
    while (now() < end) continue;
}

double delayFromArguments(int argc, char** argv, const char* what) {
    if (argc == 1) return 50;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf("usage: %s [MILLISECONDS]\n%s\nThe default delay is 50 ms.\n", argv[0], what);
        exit(0);
    }
    char* end = argv[1];
    const double milliseconds = strtod(argv[1], &end);
    if (argc == 2 && end != argv[1] && *end == '\0' && milliseconds >= 0 && milliseconds <= 60000)
        return milliseconds;
    fprintf(stderr, "%s: expected one number from 0 to 60000, the milliseconds of the delay (see --help)\n",
            argv[0]);
    exit(2);
}
