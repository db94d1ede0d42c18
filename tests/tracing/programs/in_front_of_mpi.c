/* SPDX-License-Identifier: BSD-3-Clause */
/* A library in front of an MPI, by whose names it has functions of its own: it looks up MPI's as it is loaded
 * and calls those. It answers nothing before all are found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#define FUNCTIONS(F)                                                                                       \
    F(Init, (int* argc, char*** argv), (argc, argv))                                                       \
    F(Initialized, (int* flag), (flag))                                                                    \
    F(Finalized, (int* flag), (flag))                                                                      \
    F(Get_library_version, (char* text, int* length), (text, length))                                      \
    F(Comm_rank, (MPI_Comm comm, int* rank), (comm, rank))                                                 \
    F(Send, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),              \
      (data, count, type, to, tag, comm))                                                                  \
    F(Recv,                                                                                                \
      (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),    \
      (data, count, type, from, tag, comm, status))                                                        \
    F(Isend,                                                                                               \
      (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* r),    \
      (data, count, type, to, tag, comm, r))                                                               \
    F(Irecv, (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* r), \
      (data, count, type, from, tag, comm, r))                                                             \
    F(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses))      \
    F(Comm_dup, (MPI_Comm comm, MPI_Comm * made), (comm, made))                                            \
    F(Allreduce, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),     \
      (from, to, count, type, op, comm))                                                                   \
    F(Comm_free, (MPI_Comm * comm), (comm))                                                                \
    F(Finalize, (void), ())

#define DEFINE(name, parameters, arguments) \
    static int(*real##name) parameters;     \
    int PMPI_##name parameters {            \
        return real##name arguments;        \
    }                                       \
    int MPI_##name parameters __attribute__((alias("PMPI_" #name)));
FUNCTIONS(DEFINE)

/* In the library that has a function which this one has not. */
__attribute__((constructor)) static void lookUpAll(void) {
    Dl_info mpi;
    if (dladdr((void*)&PMPI_Comm_size, &mpi) == 0) abort();
    void* const library = dlopen(mpi.dli_fname, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) abort();
#define LOOK_UP_ONE(name, parameters, arguments) *(void**)&real##name = dlsym(library, "MPI_" #name);
    FUNCTIONS(LOOK_UP_ONE)
}
