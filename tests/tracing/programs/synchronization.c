/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs whose calls into the runtime do not say what they are for: barriers, explicit and implicit, with
 * other constructs around them. openmp_events_test.cpp knows the names that the lines have. */
static int x;
static long double wide;

static void compute(void) {
    int i;
#pragma omp for ordered schedule(dynamic) /* loop */
    for (i = 0; i < 4; ++i) {
#pragma omp ordered /* turn */
        ++x;
    }
#pragma omp taskwait /* wait */
#pragma omp flush
#pragma omp sections /* parts */
    {
#pragma omp section
        wide = 0;
#pragma omp section
        ++x;
    }
#pragma omp single /* one */
    ++x;
#pragma omp single nowait /* anyone */
    ++x;
#pragma omp barrier /* all */
#pragma omp master  /* first */
    ++x;
}

static void inTurn(void) {
    int i;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (i = 0; i < 4; ++i) {
#pragma omp ordered depend(sink : i - 1) /* before */
        ++x;
#pragma omp ordered depend(source)
    }
}

static void copied(void) {
    int own = 0;
#pragma omp parallel firstprivate(own) num_threads(2)
    {
#pragma omp single copyprivate(own) /* copies */
        own = 1;
#pragma omp critical
        x += own;
    }
}

int main(void) {
#pragma omp parallel num_threads(2) /* team */
    compute();
#ifndef __clang__                   /* which calls another library for it */
#pragma omp parallel num_threads(2) /* adders */
#pragma omp atomic                  /* add */
    wide += 1;
    if (wide != 2) return 1;
#endif
    inTurn();
    copied();
    return x != 14;
}
