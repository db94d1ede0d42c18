/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends with 0 when its MPI's functions are called with their arguments and their results come back. */
int MPI_Init(int* argc, char*** argv);
int MPI_Barrier(void* comm);
int MPI_Finalize(void);

int main(int argc, char** argv) {
    if (MPI_Init(&argc, &argv) != 0) return 1;
    if (MPI_Barrier(&argc) != 17) return 2;
    return MPI_Finalize();
}
