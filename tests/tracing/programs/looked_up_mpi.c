/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up MPI's functions by their names in the library that is its argument, as Julia does. Ends with 0
 * when they are called. */
#include <dlfcn.h>
#include <stddef.h>

int main(int argc, char** argv) {
    void* mpi = argc > 1 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    int (*init)(int*, char***) = mpi ? (int (*)(int*, char***))dlsym(mpi, "MPI_Init") : NULL;
    int (*barrier)(void*) = mpi ? (int (*)(void*))dlsym(mpi, "MPI_Barrier") : NULL;
    if (init == NULL || barrier == NULL || init(&argc, &argv) != 0) return 1;
    return barrier(&argc) == 17 ? 0 : 2;
}
