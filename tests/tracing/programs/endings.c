/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs that end elsewhere. Comments name lines for openmp_teams_test.cpp. */
#include <omp.h>

static int sum;

static void add(int value) {
#pragma omp atomic
    sum += value;
}

static void detached(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
        omp_event_handle_t own;
#pragma omp task detach(event) /* waits */
        {
            omp_event_handle_t its = event;
#pragma omp task firstprivate(its) /* fulfils */
            {
                add(1);
                omp_fulfill_event(its);
#pragma omp critical
                add(10);
            }
        }
#pragma omp task detach(own) /* early */
        {
            omp_fulfill_event(own);
#pragma omp critical
            add(100);
        }
    }
}

static void cancelled(void) {
    int i;
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic) /* loop */
        for (i = 0; i < 4; ++i) {
            add(1000);
            // #pragma omp for
#pragma omp cancel for if (sum < 0)
        }
#pragma omp cancel parallel if (sum < 0)
#pragma omp single /* one */
        add(1000);
#pragma omp barrier /* all */
    }
}

int main(void) {
    detached();
    cancelled();
    return sum != 5111;
}
