/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI that nobody has an adapter for: a library with as much of it as `unknown_mpi_user.c` needs.
 *
 * WITHOUT_PROFILING: as libraries are that hand calls on to an MPI which they load in MPI_Init.
 * LIKE_MPITRAMPOLINE: has the symbol by which MPItrampoline is known, and says nothing of itself, as that one
 * without an MPI to hand calls on to.
 * LIKE_STANDARD_ABI: says of itself what MPICH says, and has the standard binary interface of MPI 5. */
#include <stdlib.h>
#include <string.h>

#ifdef WITHOUT_PROFILING
#define PMPI_Init MPI_Init
#define PMPI_Barrier MPI_Barrier
#define PMPI_Finalize MPI_Finalize
#define PMPI_Get_library_version MPI_Get_library_version
#endif

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
#ifdef LIKE_MPITRAMPOLINE
    abort();
#endif
#ifdef LIKE_STANDARD_ABI
    strcpy(version, "MPICH Version:      5.0.2\nmade for a test");
#else
    strcpy(version, "Imaginary MPI 1.0\nmade for a test");
#endif
    *length = (int)strlen(version);
    return 0;
}

#ifdef LIKE_MPITRAMPOLINE
const char* const mpitrampoline_version = "0.0.0";
#endif

#ifdef LIKE_STANDARD_ABI
int PMPI_Abi_get_version(int* major, int* minor) {
    *major = 1;
    *minor = 0;
    return 0;
}
#endif

#ifndef WITHOUT_PROFILING
int MPI_Init(int* argc, char*** argv) __attribute__((alias("PMPI_Init")));
int MPI_Barrier(void* comm) __attribute__((alias("PMPI_Barrier")));
int MPI_Finalize(void) __attribute__((alias("PMPI_Finalize")));
int MPI_Get_library_version(char* version, int* length) __attribute__((alias("PMPI_Get_library_version")));
#endif
