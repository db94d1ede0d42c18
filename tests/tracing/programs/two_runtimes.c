/* SPDX-License-Identifier: BSD-3-Clause */
/* With LIBRARY: a parallel region with a task. Without: a program of another compiler that loads such a
 * library (its argument) with its own runtime of OpenMP, and calls it beside, within and in tasks of its own
 * regions. Comments name lines for openmp_teams_test.cpp. */
#ifdef LIBRARY

static int count;

int callOther(void) {
#pragma omp parallel num_threads(2) /* other */
    {
#pragma omp single
#pragma omp task /* other task */
        {
#pragma omp atomic
            ++count;
        }
#pragma omp barrier /* all */
    }
    return count;
}

#else

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*const callOther)(void) = library != NULL ? (int (*)(void))dlsym(library, "callOther") : NULL;
    int i;
    if (callOther == NULL) return printf("%s\n", dlerror());
    for (i = 0; i < 5; ++i) {
        callOther();
#pragma omp parallel num_threads(2) /* own */
        {
            callOther();
#pragma omp single
            {
#pragma omp task /* own task */
                callOther();
            }
        }
    }
    return callOther() != 5 * 4 + 1;
}

#endif
