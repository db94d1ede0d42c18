# SPDX-License-Identifier: BSD-3-Clause
# Two processes of mpi4py, with buffers; python_events_test.cpp knows what they send.
import array
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, other = world.rank, 1 - world.rank
a, b = bytearray(24), bytearray(100)

if rank == 0:
    world.Send([a, 12, MPI.BYTE], dest=1, tag=1)
else:
    world.Recv(b, source=0, tag=1)

requests = [world.Irecv(b, source=other, tag=2), world.Isend([a, 16, MPI.BYTE], dest=other, tag=2)]
MPI.Request.Waitall(requests)

pair = world.Split(0, -rank)  # other ranks than in the world: 1 is 0
pair.Bcast([a, 20, MPI.BYTE], root=1)
pair.Free()

total = array.array("i", [0])
world.Allreduce([array.array("i", [rank + 1]), MPI.INT], [total, MPI.INT])
sys.exit(total[0] != 3)
