/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KERNELS_H
#define KERNELS_H

/// The two kernels. Both work on all ranks of MPI_COMM_WORLD, print one line on rank 0, and return 0 when the
/// result is right.

/// LU factorization of a matrix of `size` × `size` numbers, a multiple of 32. Its steps become smaller and
/// smaller.
int dense(int size, int repetitions);

/// Fourier transform of `size` × `size` complex numbers; `size` is a power of two and a multiple of the
/// number of ranks. Computes and communicates by turns.
int fft(int size, int repetitions);

#endif
