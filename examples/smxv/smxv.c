// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrix × vector, y = A x, in three variants with OpenMP, and two without.
//
//   plain          the loop over rows is divided by OpenMP; one thread made the matrix
//   blocked        every thread has its own rows, about as many nonzeros as the others, and made them itself
//   blocked-int    the same with integers
//   serial, serial-int   one thread alone, with floating-point numbers and with integers
//
// The first three are y_Ax_omp, y_Ax_omp_block and y_Ax_omp_block_int of the study on the UltraSPARC T2 (F.
// Gorsler, Development of a PAPI Backend for the Sun Niagara 2 Processor, 2009, chapter 6).
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "holos/holos.h"
#include "matrix.h"

enum { kNonzeros = 16 }; /* on average in each row */

/// The metric `nonzeros`: how much work each thread has had, however long it took. Called before and after
/// it.
static void countNonzeros(int64_t more) {
    static _Thread_local int64_t all = 0;
    all += more;
    HOLOS_METRIC_INTEGER("nonzeros", "occ", HOLOS_TOTAL, all);
}

static void multiplyPlain(const Matrix* a, const double* x, double* y) {
#pragma omp parallel
    {
        int64_t nonzeros = 0;
        countNonzeros(0);
#pragma omp for schedule(static) nowait
        for (int64_t row = 0; row < a->rows; ++row) {
            y[row] = rowTimes(a, row, x);
            nonzeros += a->begins[row + 1] - a->begins[row];
        }
        countNonzeros(nonzeros);
    }
}

static void multiplyBlocked(const Block* blocks, const double* x, double* y) {
#pragma omp parallel
    {
        const Block* mine = &blocks[omp_get_thread_num()];
        countNonzeros(0);
        for (int64_t row = 0; row < mine->matrix.rows; ++row)
            y[mine->firstRow + row] = rowTimes(&mine->matrix, row, x);
        countNonzeros(mine->matrix.begins[mine->matrix.rows]);
    }
}

static void multiplyIntegers(const Block* blocks, const int64_t* x, int64_t* y) {
#pragma omp parallel
    {
        const Block* mine = &blocks[omp_get_thread_num()];
        countNonzeros(0);
        for (int64_t row = 0; row < mine->matrix.rows; ++row)
            y[mine->firstRow + row] = rowTimesInteger(&mine->matrix, row, x);
        countNonzeros(mine->matrix.begins[mine->matrix.rows]);
    }
}

static void multiplySerially(const Matrix* a, const double* x, double* y) {
    countNonzeros(0);
    for (int64_t row = 0; row < a->rows; ++row) y[row] = rowTimes(a, row, x);
    countNonzeros(a->begins[a->rows]);
}

static void multiplyIntegersSerially(const Matrix* a, const int64_t* x, int64_t* y) {
    countNonzeros(0);
    for (int64_t row = 0; row < a->rows; ++row) y[row] = rowTimesInteger(a, row, x);
    countNonzeros(a->begins[a->rows]);
}

typedef struct Work {
    Matrix whole;
    Block* blocks;
    double *x, *y;
    int64_t *xInteger, *yInteger;
} Work;

static Work makeWork(int64_t rows) {
    Work work = {makeMatrix(0, rows, rows, kNonzeros), NULL, NULL, NULL, NULL, NULL};
    work.blocks = makeBlocks(&work.whole, omp_get_max_threads());
    work.x = allocate((size_t)rows * sizeof *work.x);
    work.y = allocate((size_t)rows * sizeof *work.y);
    work.xInteger = allocate((size_t)rows * sizeof *work.xInteger);
    work.yInteger = allocate((size_t)rows * sizeof *work.yInteger);
    for (int64_t row = 0; row < rows; ++row) work.x[row] = (double)(work.xInteger[row] = row % 7);
    return work;
}

static void multiply(const char* variant, const Work* work) {
    if (strcmp(variant, "plain") == 0)
        multiplyPlain(&work->whole, work->x, work->y);
    else if (strcmp(variant, "blocked") == 0)
        multiplyBlocked(work->blocks, work->x, work->y);
    else if (strcmp(variant, "serial") == 0)
        multiplySerially(&work->whole, work->x, work->y);
    else if (strcmp(variant, "serial-int") == 0)
        multiplyIntegersSerially(&work->whole, work->xInteger, work->yInteger);
    else
        multiplyIntegers(work->blocks, work->xInteger, work->yInteger);
}

static int ofIntegers(const char* variant) {
    return strcmp(variant, "blocked-int") == 0 || strcmp(variant, "serial-int") == 0;
}

/// Values are whole numbers, so that all variants and numbers of threads have the same sum.
static double checksum(const char* variant, const Work* work) {
    double sum = 0.0;
    for (int64_t row = 0; row < work->whole.rows; ++row)
        sum += ofIntegers(variant) ? (double)work->yInteger[row] : work->y[row];
    return sum;
}

static int usage(int status) {
    fprintf(status == 0 ? stdout : stderr,
            "Usage: smxv VARIANT [ROWS [REPETITIONS]]\n"
            "VARIANT is plain, blocked, blocked-int, serial or serial-int; 200000 rows and 20 repetitions by "
            "default.\n");
    return status;
}

int main(int argc, char** argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(0);
    if (argc < 2 || argc > 4) return usage(2);
    const char* variant = argv[1];
    const int64_t rows = argc > 2 ? atoll(argv[2]) : 200000;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 20;
    const int known = strcmp(variant, "plain") == 0 || strcmp(variant, "blocked") == 0 ||
                      strcmp(variant, "serial") == 0 || ofIntegers(variant);
    if (!known || rows < 1 || repetitions < 1) return usage(2);

    HOLOS_REGION_BEGIN(setUp, "set up");
    const Work work = makeWork(rows);
    HOLOS_REGION_END(setUp);

    HOLOS_REGION_BEGIN(product, "multiply");
    const double begin = omp_get_wtime();
    for (int repetition = 0; repetition < repetitions; ++repetition) multiply(variant, &work);
    const double seconds = omp_get_wtime() - begin;
    /* One multiplication and one addition for each nonzero. */
    const double operations = 2.0 * (double)work.whole.begins[rows] * repetitions;
    const double mflops = 1e-6 * operations / seconds;
    HOLOS_METRIC_REAL("MFLOPS", "1e6/s", HOLOS_STATE, mflops);
    HOLOS_REGION_END(product);

    printf("%-12s %4d threads %10.1f MFLOPS   checksum %.0f\n", variant,
           strncmp(variant, "serial", 6) == 0 ? 1 : omp_get_max_threads(), mflops, checksum(variant, &work));
    return 0;
}
