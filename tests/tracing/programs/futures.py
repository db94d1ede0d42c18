# SPDX-License-Identifier: BSD-3-Clause
# Work that the other processes do for the first one, of which one part fails. Run by `-m mpi4py.futures`.
from mpi4py.futures import MPIPoolExecutor


def cube(number):
    if number == 3:
        raise ValueError("three")
    return number**3


if __name__ == "__main__":
    with MPIPoolExecutor(2) as pool:
        futures = [pool.submit(cube, number) for number in range(6)]
        print(sum(future.result() for future in futures if future.exception() is None))
