# SPDX-License-Identifier: BSD-3-Clause
# Calls MPI_Barrier, or usleep where the second argument says so, from functions of many kinds, and writes into a file
# (the first argument) how Python itself sees the calls that led there, one line each: python_paths_test.cpp compares.
import ctypes
import functools
import sys
import threading
import types

called = sys.argv[2]
if called == "usleep":
    world = types.SimpleNamespace(Barrier=functools.partial(ctypes.CDLL(None).usleep, 20000))
else:
    from mpi4py import MPI

    world = MPI.COMM_SELF
told = []


def here():
    """The communicator for the call of MPI that stands in the caller's line."""
    path = called
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        name = code.co_filename.rsplit("/", 1)[-1] + ":" + code.co_qualname
        path = f"{name} {frame.f_lineno}/{path}"
        frame = frame.f_back
    told.append(path)
    return world


class Solver:
    def step(self):
        here().Barrier()
        self.norm()

    def norm(self):
        for _ in range(3):
            here().Barrier()
        (lambda: here().Barrier())()

    @property
    def residual(self):
        return here().Barrier()

    def __lt__(self, other):
        here().Barrier()
        return True

    def __del__(self):
        here().Barrier()


class Größe:
    def läuft(self):
        here().Barrier()

    def 走る(self):
        here().Barrier()


def generator():
    here().Barrier()
    yield 1
    yield from inner_generator()


def inner_generator():
    here().Barrier()
    yield 2


async def coroutine():
    here().Barrier()


async def outer_coroutine():
    await coroutine()


def recursion(depth):
    if depth == 0:
        return here().Barrier()
    return recursion(depth - 1)


def recursion_through_c(depth):
    return functools.reduce(lambda a, b: recursion_through_c(depth - 1) if depth else here().Barrier(), [1, 2])


def exceptions():
    try:
        try:
            raise ValueError
        finally:
            here().Barrier()
    except ValueError:
        here().Barrier()


def fresh(name, comment):
    """Code of one size, most likely at the place of the one before."""
    names = {"here": here}
    exec(f"def {name}():\n    # {comment}\n    here().Barrier()\n", names)
    names[name]()


def main():
    solver = Solver()
    solver.step()
    solver.residual
    min(solver, solver)
    sorted([2, 1], key=lambda x: here().Barrier() or x)
    for _ in generator():
        here().Barrier()
    try:
        outer_coroutine().send(None)
    except StopIteration:
        pass
    recursion(5)
    recursion_through_c(3)
    exceptions()
    for name in ("aa", "bb", "cc"):
        fresh(name, "longer"[: len(name)])
    Größe().läuft()
    Größe().走る()
    [here().Barrier() for _ in range(2)]
    del solver
    thread = threading.Thread(target=recursion, args=(1,))
    thread.start()
    thread.join()


main()
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("".join(line + "\n" for line in told))
