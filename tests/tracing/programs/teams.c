/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams on the host. Comments name lines for openmp_teams_test.cpp. */
#include <omp.h>

#pragma omp declare target
static int sum;

static void add(int value) {
#pragma omp atomic
    sum += value;
}
#pragma omp end declare target

int main(void) {
    int round;
    int i;
    for (round = 0; round < 3; ++round) {
#pragma omp teams num_teams(2) thread_limit(1) /* teams */
        {
#pragma omp distribute parallel for /* shared */
            for (i = 0; i < 4; ++i) add(1);
        }
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(2) /* target */
        for (i = 0; i < 4; ++i) add(1);
    }
    return sum != 3 * 2 * 4;
}
