/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of OpenMP near each other, whose schedule the runtime decides. openmp_paths_test.cpp knows the lines.
 */
static double a[100], b[100];

static double work(int n) {
    volatile double sum = 0;
    for (int i = 0; i < n; ++i) sum += i * 0.5;
    return sum;
}

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; ++i) a[i] = work(i);
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 100; ++i) b[i] = work(i);
        for (int step = 0; step < 2; ++step) {
#pragma omp for schedule(guided)
            for (int i = 0; i < 100; ++i) a[i] += b[i];
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < 100; ++i) {
            b[i] += a[i];
        }
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 100; ++i) b[i] += work(i);
    return b[0] < 0;
}
