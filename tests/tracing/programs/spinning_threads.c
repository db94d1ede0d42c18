/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads that work until both have used a good part of a second of a processor. */
#include <pthread.h>
#include <stdio.h>

static void* spin(void* result) {
    double sum = 0;
    for (long i = 1; i <= 30 * 1000 * 1000; ++i) sum += 1.0 / (double)i;
    *(double*)result = sum;
    return result;
}

int main(void) {
    pthread_t threads[2];
    double sums[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, spin, &sums[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    printf("%.6f\n", sums[0] + sums[1]);
    return 0;
}
