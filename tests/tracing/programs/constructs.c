/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs that gcc and clang both make known to the runtime. openmp_events_test.cpp knows the lines. */
#include <omp.h>

static int x;
static omp_lock_t lock;
static omp_nest_lock_t nested;

static void locks(void) {
    omp_set_lock(&lock);
    ++x;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
}

int main(void) {
    int i;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
#pragma omp critical
        ++x;
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (i = 0; i < 6; ++i) {
#pragma omp critical(name)
            ++x;
        }
        locks();
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
#pragma omp critical
        ++x;
    }
#pragma omp parallel num_threads(1)
    ++x;
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
    return x == 0;
}
