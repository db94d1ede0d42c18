/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with one fault, by name, in the function of that name: threads FAULT [STEPS]. For
 * OMP_NUM_THREADS=4. */
#include <omp.h>

#include "planted.h"

PART one_thread(int step) {
    (void)step;
#pragma omp parallel
    compute(omp_get_thread_num() == 1 ? 45 : 15);
}

PART first_only(int step) {
    (void)step;
    compute(30);
#pragma omp parallel
    compute(15);
}

PART locked(int step) {
    (void)step;
#pragma omp parallel
    for (int i = 0; i < 2; ++i) {
        compute(6);
#pragma omp critical
        compute(8);
    }
}

PART sleeping(int step) {
    (void)step;
#pragma omp parallel
    {
        compute(10);
        if (omp_get_thread_num() == 2) nap(30);
    }
}

PART even(int step) {
    (void)step;
#pragma omp parallel
    compute(20);
}

static const struct {
    const char* name;
    void (*run)(int step);
} kFaults[] = {{"one_thread", one_thread},
               {"first_only", first_only},
               {"locked", locked},
               {"sleeping", sleeping},
               {"even", even}};

int main(int count, char** arguments) {
    const int steps = count > 2 ? atoi(arguments[2]) : 30;
    for (size_t i = 0; i < sizeof kFaults / sizeof *kFaults; ++i)
        if (count > 1 && strcmp(kFaults[i].name, arguments[1]) == 0)
            for (int step = 0; step < steps; ++step) kFaults[i].run(step);
}
