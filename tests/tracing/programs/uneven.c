/* SPDX-License-Identifier: BSD-3-Clause */
/* Two functions that nobody instruments, one with three times the work of the other. They do not alternate: a
 * kernel that samples at its ticks only would otherwise meet both equally often. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t urgent = 0;

static void count(int signal) {
    (void)signal;
    ++urgent;
}

static double work(long steps) {
    double sum = 0;
    for (long i = 1; i <= steps; ++i) sum += 1.0 / (double)i;
    return sum;
}

static double heavy(long steps) {
    return work(3 * steps);
}

static double light(long steps) {
    return work(steps);
}

int main(void) {
    const long steps = 1000 * 1000;
    double sum = 0;
    signal(SIGURG, count);
    for (int i = 0; i < 25; ++i) {
        sum += heavy(steps);
        raise(SIGURG);
    }
    for (int i = 0; i < 25; ++i) sum += light(steps);
    printf("%.6f, %d signals\n", sum, (int)urgent);
    return 0;
}
