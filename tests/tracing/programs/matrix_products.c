/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of matrices by OpenBLAS, whose constructor starts threads that do a part of each. */
#include <stdlib.h>

enum { kRows = 400, kProducts = 5, kRowMajor = 101, kAsItIs = 111 };

void cblas_dgemm(int order, int left, int right, int m, int n, int k, double alpha, const double* a,
                 int rowOfA, const double* b, int rowOfB, double beta, double* c, int rowOfC);

int main(void) {
    double* const a = malloc(sizeof(double) * kRows * kRows);
    double* const c = malloc(sizeof(double) * kRows * kRows);
    int i;
    if (a == NULL || c == NULL) return 1;
    for (i = 0; i < kRows * kRows; ++i) a[i] = i % 7;
    for (i = 0; i < kProducts; ++i)
        cblas_dgemm(kRowMajor, kAsItIs, kAsItIs, kRows, kRows, kRows, 1, a, kRows, a, kRows, 0, c, kRows);
    return c[0] == 0;
}
