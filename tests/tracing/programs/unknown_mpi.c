/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI that nobody has an adapter for: a library with as much of it as `unknown_mpi_user.c` needs. */
#include <string.h>

int PMPI_Init(int* argc, char*** argv) {
    return argc == NULL || argv == NULL;
}
int PMPI_Barrier(void* comm) {
    return comm != NULL ? 17 : 18;
}
int PMPI_Finalize(void) {
    return 0;
}
int PMPI_Get_library_version(char* version, int* length) {
    strcpy(version, "Imaginary MPI 1.0\nmade for a test");
    *length = (int)strlen(version);
    return 0;
}

int MPI_Init(int* argc, char*** argv) __attribute__((alias("PMPI_Init")));
int MPI_Barrier(void* comm) __attribute__((alias("PMPI_Barrier")));
int MPI_Finalize(void) __attribute__((alias("PMPI_Finalize")));
int MPI_Get_library_version(char* version, int* length) __attribute__((alias("PMPI_Get_library_version")));
