# SPDX-License-Identifier: BSD-3-Clause
# Heat in a plate that ranks share by rows. The first rank has twice as many as the others; docs/python.md records it.
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD


class Plate:
    def __init__(self, rows, columns):
        self.values = np.zeros((rows + 2, columns))
        self.values[1:-1, 0] = 100.0

    def exchange(self):
        above = world.rank - 1 if world.rank > 0 else MPI.PROC_NULL
        below = world.rank + 1 if world.rank + 1 < world.size else MPI.PROC_NULL
        world.Sendrecv(self.values[1], dest=above, recvbuf=self.values[-1], source=below)
        world.Sendrecv(self.values[-2], dest=below, recvbuf=self.values[0], source=above)

    def smooth(self):
        old = self.values
        new = old.copy()
        new[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        self.values = new
        return np.abs(new - old)[1:-1].max()


def converged(change):
    largest = np.zeros(1)
    world.Allreduce(np.array([change]), largest, op=MPI.MAX)
    return largest[0] < 1e-6


def solve(plate):
    for step in range(200):
        plate.exchange()
        change = plate.smooth()
        if converged(change):
            break


def main():
    rows = 600 if world.rank == 0 else 300
    solve(Plate(rows, 600))


main()
