/* SPDX-License-Identifier: BSD-3-Clause */
/* As looked_up.c, with the functions for Fortran, of which each has another compiler's spelling where the
 * library has that. */
#include "look_up.h"

typedef MPI_Fint* Number;
void mpi_init_(Number error);
void mpi_comm_rank_(Number comm, Number rank, Number error);
void mpi_send_(void* data, Number count, Number type, Number to, Number tag, Number comm, Number error);
void mpi_recv_(void* data, Number count, Number type, Number from, Number tag, Number comm, Number status,
               Number error);
void mpi_finalize_(Number error);

#ifdef LOOK_UP
#define SPELLED(spelling, function) \
    ((__typeof__(&function))lookUp(dlsym(library, #spelling) != NULL ? #spelling : #function))
#define mpi_init_ SPELLED(mpi_init_, mpi_init_)
#define mpi_comm_rank_ SPELLED(MPI_COMM_RANK, mpi_comm_rank_)
#define mpi_send_ SPELLED(mpi_send__, mpi_send_)
#define mpi_recv_ SPELLED(mpi_recv, mpi_recv_)
#define mpi_finalize_ SPELLED(mpi_finalize_, mpi_finalize_)
#endif

#ifdef OPEN_MPI
static MPI_Fint world = 0, integer = 7;
#else
static MPI_Fint world = (MPI_Fint)MPI_COMM_WORLD, integer = (MPI_Fint)MPI_INT;
#endif

int main(int argc, char** argv) {
    MPI_Fint rank, error, one = 1, none = 0, tag = 1, count = 3, data[3], status[10];
    openLibrary(argc, argv);
    mpi_init_(&error);
    mpi_comm_rank_(&world, &rank, &error);
    if (rank == 0)
        mpi_send_(data, &count, &integer, &one, &tag, &world, &error);
    else
        mpi_recv_(data, &count, &integer, &none, &tag, &world, status, &error);
    mpi_finalize_(&error);
    return 0;
}
