/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SMXV_MATRIX_H
#define SMXV_MATRIX_H

#include <stddef.h>
#include <stdint.h>

/// Rows of a sparse matrix: of row r the nonzeros begins[r] … begins[r + 1] - 1, with column and value.
typedef struct Matrix {
    int64_t rows;
    int64_t* begins;
    int32_t* columns;
    double* values;
    int64_t* integers; /* the same values */
} Matrix;

/// The rows of one thread, in memory that the thread touched first.
typedef struct Block {
    int64_t firstRow;
    Matrix matrix;
} Block;

/// Memory, or the end of the program.
void* allocate(size_t bytes);

/// Rows `first` … `first + rows - 1` of a matrix with `columns` columns and about so many nonzeros in a row,
/// at places and with whole numbers that look random. A row is the same, whoever makes it.
Matrix makeMatrix(int64_t first, int64_t rows, int64_t columns, int nonzeros);

/// The matrix once more, in one block for each thread of about equally many nonzeros. Each thread makes its
/// own.
Block* makeBlocks(const Matrix* whole, int threads);

static inline double rowTimes(const Matrix* a, int64_t row, const double* x) {
    double sum = 0.0;
    for (int64_t at = a->begins[row]; at < a->begins[row + 1]; ++at) sum += a->values[at] * x[a->columns[at]];
    return sum;
}

static inline int64_t rowTimesInteger(const Matrix* a, int64_t row, const int64_t* x) {
    int64_t sum = 0;
    for (int64_t at = a->begins[row]; at < a->begins[row + 1]; ++at)
        sum += a->integers[at] * x[a->columns[at]];
    return sum;
}

#endif
