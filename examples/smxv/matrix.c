/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void* allocate(size_t bytes) {
    void* memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "smxv: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/// A number that looks random and belongs to its arguments.
static uint64_t scramble(uint64_t row, uint64_t which) {
    uint64_t state = row * 0x9E3779B97F4A7C15u + which;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
    return state ^ (state >> 31);
}

/// Later rows are longer, so that equal numbers of rows are unequal work: from half to one and a half of the
/// mean.
static int64_t lengthOf(int64_t row, int64_t rows, int nonzeros) {
    return nonzeros / 2 + nonzeros * row / rows;
}

Matrix makeMatrix(int64_t first, int64_t rows, int64_t columns, int nonzeros) {
    Matrix a = {rows, allocate((size_t)(rows + 1) * sizeof *a.begins), NULL, NULL, NULL};
    a.begins[0] = 0;
    for (int64_t row = 0; row < rows; ++row)
        a.begins[row + 1] = a.begins[row] + lengthOf(first + row, columns, nonzeros);
    const size_t all = (size_t)a.begins[rows];
    a.columns = allocate(all * sizeof *a.columns);
    a.values = allocate(all * sizeof *a.values);
    a.integers = allocate(all * sizeof *a.integers);
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t at = a.begins[row]; at < a.begins[row + 1]; ++at) {
            const uint64_t chance = scramble((uint64_t)(first + row), (uint64_t)(at - a.begins[row]));
            a.columns[at] = (int32_t)(chance % (uint64_t)columns);
            a.integers[at] = (int64_t)(chance >> 60);
            a.values[at] = (double)a.integers[at];
        }
    return a;
}

/// The first row whose nonzeros begin at `nonzero` or later.
static int64_t rowAt(const Matrix* a, int64_t nonzero) {
    int64_t row = 0;
    while (row < a->rows && a->begins[row] < nonzero) ++row;
    return row;
}

Block* makeBlocks(const Matrix* whole, int threads) {
    Block* blocks = allocate((size_t)threads * sizeof *blocks);
    const int64_t all = whole->begins[whole->rows];
    const int nonzeros = (int)(2 * (whole->begins[1] - whole->begins[0]));
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
        const int64_t first = rowAt(whole, all * thread / threads);
        const int64_t end = thread + 1 == threads ? whole->rows : rowAt(whole, all * (thread + 1) / threads);
        blocks[thread].firstRow = first;
        blocks[thread].matrix = makeMatrix(first, end - first, whole->rows, nonzeros);
    }
    return blocks;
}
