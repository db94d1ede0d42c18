// SPDX-License-Identifier: BSD-3-Clause
// LU factorization without pivoting, as HPL's but for that: blocks of columns are dealt out to the ranks in
// turn.
//
//   rank 0  ├ panel ┤ Bcast ├─────── update ───────┤ Bcast ├────── update ─────┤ …
//   rank 1  ▒▒▒▒▒▒▒▒▒ Bcast ├─────── update ───────┤ panel ┤ Bcast ├── update ──┤ …
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "holos/holos.h"
#include "kernels.h"
#include "operations.h"

enum { kBlock = 32 };

/// A block of columns, row by row.
typedef double Row[kBlock];

/// The own blocks of columns: every `ranks`-th, from `rank` on.
typedef struct Columns {
    int size, rank, ranks;
    Row** blocks;
} Columns;

static Columns makeColumns(int size) {
    Columns all = {size, 0, 1, NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all.ranks);
    all.blocks = calloc((size_t)(size / kBlock), sizeof *all.blocks);
    for (int block = all.rank; block < size / kBlock; block += all.ranks)
        all.blocks[block] = malloc((size_t)size * sizeof(Row));
    return all;
}

/// With a diagonal that is larger than the rest of a row, so that nothing has to be exchanged.
static void fill(const Columns* all) {
    for (int block = all->rank; block < all->size / kBlock; block += all->ranks)
        for (int row = 0; row < all->size; ++row)
            for (int j = 0; j < kBlock; ++j) {
                const int distance = abs(row - block * kBlock - j);
                all->blocks[block][row][j] = distance == 0 ? all->size : 1.0 / (1.0 + distance);
            }
}

/// Factors the rows from `first` on.
static void factorPanel(Row* panel, int first, int size) {
    HOLOS_REGION_BEGIN(region, "panel");
    countOperations(0.0);
    double operations = 0.0;
    for (int column = 0; column < kBlock; ++column) {
        const double* pivot = panel[first + column];
        for (int row = first + column + 1; row < size; ++row) {
            panel[row][column] /= pivot[column];
            for (int j = column + 1; j < kBlock; ++j) panel[row][j] -= panel[row][column] * pivot[j];
        }
        operations += (size - first - column - 1.0) * (1.0 + 2.0 * (kBlock - column - 1.0));
    }
    countOperations(operations);
    HOLOS_REGION_END(region);
}

/// Takes the panel's share from a block of columns right of it.
static double updateBlock(Row* columns, Row* panel, int first, int size) {
    double operations = 0.0;
    for (int row = first + 1; row < size; ++row) {
        const int last = row < first + kBlock ? row - first : kBlock; /* the panel's head is a triangle */
        for (int p = 0; p < last; ++p)
            for (int j = 0; j < kBlock; ++j) columns[row][j] -= panel[row][p] * columns[first + p][j];
        operations += 2.0 * last * kBlock;
    }
    return operations;
}

static void update(const Columns* all, Row* panel, int step) {
    HOLOS_REGION_BEGIN(region, "update");
    countOperations(0.0);
    double operations = 0.0;
    for (int block = step + 1; block < all->size / kBlock; ++block)
        if (block % all->ranks == all->rank)
            operations += updateBlock(all->blocks[block], panel, step * kBlock, all->size);
    countOperations(operations);
    HOLOS_REGION_END(region);
}

static void factor(const Columns* all, Row* panel) {
    for (int step = 0; step < all->size / kBlock; ++step) {
        const int owner = step % all->ranks, first = step * kBlock;
        if (owner == all->rank) {
            factorPanel(all->blocks[step], first, all->size);
            memcpy(panel[first], all->blocks[step][first], (size_t)(all->size - first) * sizeof(Row));
        }
        MPI_Bcast(panel[first], (all->size - first) * kBlock, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        update(all, panel, step);
    }
}

/// Does not depend on the number of ranks.
static double logarithmOfDeterminant(const Columns* all) {
    double* diagonal = calloc((size_t)all->size, sizeof *diagonal);
    for (int i = 0; i < all->size; ++i)
        if (all->blocks[i / kBlock] != NULL) diagonal[i] = all->blocks[i / kBlock][i][i % kBlock];
    MPI_Allreduce(MPI_IN_PLACE, diagonal, all->size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double sum = 0.0;
    for (int i = 0; i < all->size; ++i) sum += log(diagonal[i]);
    free(diagonal);
    return sum;
}

int dense(int size, int repetitions) {
    Columns all = makeColumns(size);
    Row* panel = malloc((size_t)size * sizeof(Row));
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        fill(&all);
        factor(&all, panel);
    }
    const double result = logarithmOfDeterminant(&all);
    if (all.rank == 0) printf("dense: logarithm of the determinant %.12g\n", result);
    for (int block = 0; block < size / kBlock; ++block) free(all.blocks[block]);
    free(all.blocks);
    free(panel);
    return isfinite(result) ? 0 : 1;
}
