/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that tries to set a lock that it has itself, in vain. */
#include <omp.h>

int main(void) {
    omp_lock_t lock;
    int i, acquired = 0;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    for (i = 0; i < 500; ++i) acquired += omp_test_lock(&lock);
    omp_unset_lock(&lock);
    acquired += omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    return acquired != 1;
}
