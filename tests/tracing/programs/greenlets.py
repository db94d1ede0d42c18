# SPDX-License-Identifier: BSD-3-Clause
# Calls usleep from functions of greenlets, which move each other's parts of the stack away, and writes into a file (the
# first argument) how Python itself sees the calls that led there, one line each, with `UNKNOWN CALLERS` in front where
# they are those of a greenlet: python_paths_test.cpp compares.
import ctypes
import functools
import sys
import threading

import gevent
import greenlet

usleep = functools.partial(ctypes.CDLL(None).usleep, 1000)
told = []


def here():
    """The function for the call that stands in the caller's line."""
    path = "usleep"
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        name = code.co_filename.rsplit("/", 1)[-1] + ":" + code.co_qualname
        path = f"{name} {frame.f_lineno}/{path}"
        frame = frame.f_back
    if greenlet.getcurrent().parent is not None:
        path = "UNKNOWN CALLERS/" + path
    told.append(path)
    return usleep


def ping():
    while True:
        here()()
        pong_greenlet.switch()
        deeper(3)


def deeper(depth):
    if depth > 0:
        return deeper(depth - 1)
    here()()
    functools.reduce(lambda a, b: main_greenlet.switch(), [1, 2])
    here()()


def pong():
    while True:
        functools.reduce(lambda a, b: (here()(), ping_greenlet.switch()), [1, 2, 3])


def from_one_place():
    here()()
    ping_greenlet.switch()
    here()()


def from_another(depth):
    if depth > 0:
        return sorted([1], key=lambda _: from_another(depth - 1))
    from_one_place()


def work(depth):
    here()()
    gevent.sleep(0)
    recursion(depth)


def recursion(depth):
    if depth == 0:
        here()()
        gevent.sleep(0.001)
        here()()
    else:
        sorted([1], key=lambda _: recursion(depth - 1))


def cooperate():
    gevent.joinall([gevent.spawn(work, depth) for depth in (1, 2, 3)])
    here()()


main_greenlet = greenlet.getcurrent()
ping_greenlet = greenlet.greenlet(ping)
pong_greenlet = greenlet.greenlet(pong)
for depth in (0, 2, 1, 3):
    from_another(depth)
cooperate()
thread = threading.Thread(target=cooperate)
thread.start()
thread.join()
here()()
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("".join(line + "\n" for line in told))
