/* SPDX-License-Identifier: BSD-3-Clause */
/* A team of two whose runtime is linked into the program. */
#include <omp.h>

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    return sum == 1 ? 0 : 1;
}
