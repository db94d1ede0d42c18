# SPDX-License-Identifier: BSD-3-Clause
# Two processes of which the first sends three integers: MPI's functions are looked up in the library that is named.
import ctypes
import sys

mpi = ctypes.CDLL(sys.argv[1])


def handle(of_open_mpi, of_mpich):
    try:
        return ctypes.byref(ctypes.c_char.in_dll(mpi, of_open_mpi))
    except ValueError:
        return ctypes.c_int(of_mpich)


world = handle("ompi_mpi_comm_world", 0x44000000)
integer = handle("ompi_mpi_int", 0x4C000405)
rank = ctypes.c_int()
data = (ctypes.c_int * 3)()

mpi.MPI_Init(None, None)
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
if rank.value == 0:
    mpi.MPI_Send(data, 3, integer, 1, 1, world)
else:
    mpi.MPI_Recv(data, 3, integer, 0, 1, world, ctypes.c_void_p(0 if hasattr(mpi, "ompi_mpi_comm_world") else 1))
mpi.MPI_Finalize()
