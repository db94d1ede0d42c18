// SPDX-License-Identifier: BSD-3-Clause
// Fourier transform of size × size numbers in six steps, as HPC Challenge's: transforms of rows, with all
// data exchanged between.
//
//   all ranks  ├ Alltoall ├─ rows ─┤ Alltoall ├─ rows ─┤ Alltoall ┤ …
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "holos/holos.h"
#include "kernels.h"
#include "operations.h"

typedef struct Complex {
    double re, im;
} Complex;

/// The own rows of a size × size matrix, and what its transform needs.
typedef struct Grid {
    int size, rank, ranks, rows;
    Complex *values, *packed, *roots; /* roots[k] = exp(-2 pi i k / size) */
} Grid;

static Complex root(double part) {
    const double angle = -2.0 * acos(-1.0) * part;
    return (Complex){cos(angle), sin(angle)};
}

static Complex times(Complex a, Complex b) {
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static Grid makeGrid(int size) {
    Grid grid = {size, 0, 1, 0, NULL, NULL, NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &grid.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &grid.ranks);
    grid.rows = size / grid.ranks;
    const size_t count = (size_t)grid.rows * (size_t)size;
    grid.values = malloc(count * sizeof(Complex));
    grid.packed = malloc(count * sizeof(Complex));
    grid.roots = malloc((size_t)size * sizeof(Complex));
    for (int k = 0; k < size; ++k) grid.roots[k] = root((double)k / size);
    return grid;
}

static void transpose(const Grid* grid) {
    HOLOS_REGION_BEGIN(region, "transpose");
    const int rows = grid->rows, size = grid->size;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < size; ++column)
            grid->packed[(size_t)column * rows + row] = grid->values[(size_t)row * size + column];
    Complex* const received = grid->values; /* packed already */
    MPI_Alltoall(grid->packed, 2 * rows * rows, MPI_DOUBLE, received, 2 * rows * rows, MPI_DOUBLE,
                 MPI_COMM_WORLD);
    for (int from = 0; from < grid->ranks; ++from)
        for (int row = 0; row < rows; ++row)
            for (int i = 0; i < rows; ++i)
                grid->packed[(size_t)row * size + from * rows + i] =
                    received[((size_t)from * rows + row) * rows + i];
    for (size_t at = 0; at < (size_t)rows * size; ++at) grid->values[at] = grid->packed[at];
    HOLOS_REGION_END(region);
}

/// In place, by halves (Cooley and Tukey).
static void transformRow(const Grid* grid, Complex* row) {
    const int size = grid->size;
    for (int i = 1, j = 0; i < size; ++i) { /* order of reversed bits */
        int bit = size >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const Complex other = row[i];
        row[i] = row[j];
        row[j] = other;
    }
    for (int half = 1; half < size; half *= 2)
        for (int begin = 0; begin < size; begin += 2 * half)
            for (int k = 0; k < half; ++k) {
                Complex* const a = &row[begin + k];
                Complex* const b = &row[begin + k + half];
                const Complex turned = times(*b, grid->roots[k * (size / (2 * half))]);
                *b = (Complex){a->re - turned.re, a->im - turned.im};
                *a = (Complex){a->re + turned.re, a->im + turned.im};
            }
}

static void transformRows(const Grid* grid) {
    HOLOS_REGION_BEGIN(region, "rows");
    countOperations(0.0);
    for (int row = 0; row < grid->rows; ++row) transformRow(grid, grid->values + (size_t)row * grid->size);
    countOperations(5.0 * grid->rows * grid->size * log2(grid->size));
    HOLOS_REGION_END(region);
}

/// Between the two transforms of rows.
static void turn(const Grid* grid) {
    HOLOS_REGION_BEGIN(region, "turn");
    countOperations(0.0);
    const double all = (double)grid->size * grid->size;
    for (int row = 0; row < grid->rows; ++row) {
        Complex* const values = grid->values + (size_t)row * grid->size;
        const Complex step = root((double)(grid->rank * grid->rows + row) / all);
        Complex factor = {1.0, 0.0};
        for (int k = 0; k < grid->size; ++k) {
            values[k] = times(values[k], factor);
            factor = times(factor, step);
        }
    }
    countOperations(12.0 * grid->rows * grid->size);
    HOLOS_REGION_END(region);
}

/// A single one at position 1, whose transform is exp(-2 pi i k / all) at every k.
static void fill(const Grid* grid) {
    for (size_t at = 0; at < (size_t)grid->rows * grid->size; ++at) grid->values[at] = (Complex){0.0, 0.0};
    if (grid->rank == 0) grid->values[1].re = 1.0;
}

static double largestError(const Grid* grid) {
    const size_t count = (size_t)grid->rows * grid->size;
    double largest = 0.0;
    for (size_t at = 0; at < count; ++at) {
        const double k = (double)(grid->rank * count + at);
        const Complex expected = root(k / ((double)grid->size * grid->size));
        largest = fmax(largest, fabs(grid->values[at].re - expected.re));
        largest = fmax(largest, fabs(grid->values[at].im - expected.im));
    }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return largest;
}

static void transform(const Grid* grid) {
    transpose(grid);
    transformRows(grid);
    turn(grid);
    transpose(grid);
    transformRows(grid);
    transpose(grid);
}

int fft(int size, int repetitions) {
    const Grid grid = makeGrid(size);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        fill(&grid);
        transform(&grid);
    }
    const double error = largestError(&grid);
    if (grid.rank == 0) printf("fft: largest error %.1e\n", error);
    free(grid.values);
    free(grid.packed);
    free(grid.roots);
    return error < 1e-9 ? 0 : 1;
}
