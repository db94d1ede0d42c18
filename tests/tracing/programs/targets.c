/* SPDX-License-Identifier: BSD-3-Clause */
/* Targets on the host that nobody waits for at once. Comments name lines for openmp_teams_test.cpp. */
#include <omp.h>

#pragma omp declare target
static int sum;

static void add(int value) {
#pragma omp atomic
    sum += value;
}
#pragma omp end declare target

int main(void) {
    int copied = 100;
#pragma omp target nowait firstprivate(copied) /* alone */
    add(copied);
#pragma omp taskwait
#pragma omp parallel num_threads(2) /* team */
#pragma omp single
#pragma omp target nowait firstprivate(copied) /* waited */
    add(copied);
    return sum != 2 * 100;
}
