/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of the program, which MPI calls, sleeps by usleep; a library that is loaded late sleeps by
   nanosleep, called from there, as a plug-in of MPI, and from outside. With LIBRARY it is that library, whose
   path is the argument: a library of MPI may replace dlopen, which then does not know where this program has
   its libraries. */
#ifdef LIBRARY
#include <time.h>

void sleepInLibrary(void) {
    const struct timespec span = {0, 20000000};
    nanosleep(&span, NULL);
}
#else
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static void (*sleepInLibrary)(void);

static void addSlowly(void* in, void* sum, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)sum)[i] += ((int*)in)[i];
    usleep(20000);
    sleepInLibrary();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    void* const library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) abort();
    sleepInLibrary = (void (*)(void))dlsym(library, "sleepInLibrary");
    MPI_Op operation;
    MPI_Op_create(addSlowly, 1, &operation);
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD);
    MPI_Op_free(&operation);
    sleepInLibrary();
    MPI_Finalize();
    return sum != 2;
}
#endif
