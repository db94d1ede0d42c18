// SPDX-License-Identifier: BSD-3-Clause
// Two kernels that load a machine in different ways: what do its sensors say meanwhile? As the case study of
// D. Terpstra et al., Collecting Performance Data with PAPI-C (2009), with HPL and FFT.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "operations.h"

static int usage(int status) {
    fprintf(status == 0 ? stdout : stderr,
            "Usage: sensors dense [SIZE [REPETITIONS]]     SIZE: a multiple of 32, 1600 by default\n"
            "       sensors fft [SIZE [REPETITIONS]]       SIZE: a power of two, 1024 by default\n");
    return status;
}

int main(int argc, char** argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(0);
    if (argc < 2 || argc > 4) return usage(2);
    const int isDense = strcmp(argv[1], "dense") == 0, isFft = strcmp(argv[1], "fft") == 0;
    const int size = argc > 2 ? atoi(argv[2]) : isDense ? 1600 : 1024;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    const int isRound = isDense ? size % 32 == 0 : (size & (size - 1)) == 0;
    if ((!isDense && !isFft) || size < 2 || !isRound || repetitions < 1) return usage(2);

    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (isFft && size % ranks != 0) {
        if (rank == 0) fprintf(stderr, "sensors: SIZE must be a multiple of the number of ranks\n");
        MPI_Finalize();
        return 2;
    }
    const double begin = MPI_Wtime();
    const int status = isDense ? dense(size, repetitions) : fft(size, repetitions);
    const double seconds = MPI_Wtime() - begin, mine = operationsDone();
    double all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.3g Gflop in %.2f s: %.2f Gflop/s\n", 1e-9 * all, seconds, 1e-9 * all / seconds);
    MPI_Finalize();
    return status;
}
