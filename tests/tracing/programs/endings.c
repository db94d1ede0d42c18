/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs that end elsewhere. Comments name lines for openmp_teams_test.cpp. */
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

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

static omp_event_handle_t given;
static int hasReturned;

/* A while after the function of its task has returned. */
static void* fulfilLater(void* data) {
    while (!__atomic_load_n(&hasReturned, __ATOMIC_ACQUIRE)) usleep(1000);
    usleep(20000);
    omp_fulfill_event(given);
    return data;
}

static void detachedForAThread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fulfilLater, NULL);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : given) /* later */
        {
            given = event;
            add(10000);
            __atomic_store_n(&hasReturned, 1, __ATOMIC_RELEASE);
        }
#pragma omp task depend(in : given) /* behind */
        add(20000);
    }
    pthread_join(thread, NULL);
}

/* A team that begins in a task has tasks of its own. */
static void nested(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task                    /* outer */
#pragma omp parallel num_threads(1) /* within */
#pragma omp single
#pragma omp task /* inner */
    add(40000);
}

/* Where cancelling is on (OMP_CANCELLATION), all threads leave the region together. */
static void left(void) {
#pragma omp parallel num_threads(2) /* left */
    {
#pragma omp cancel parallel /* leaves */
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
    detachedForAThread();
    nested();
    left();
    cancelled();
    return sum != 75111;
}
