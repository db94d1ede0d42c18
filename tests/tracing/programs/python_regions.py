# SPDX-License-Identifier: BSD-3-Clause
"""A Python program that says what it does. Argument: the folder of `holos_regions`."""
import sys
import threading

sys.path.insert(0, sys.argv[1])
import holos_regions as holos


def short(number):
    return number


def some():
    for number in range(3):
        yield short(number)


def failing():
    raise ValueError


@holos.region("steps")
def steps():
    for step in range(2):
        with holos.phase("step"):
            holos.parameter("number", step)
            holos.metric("queue", step - 3, "items")
            holos.total("energy", 1.5 * step)
            with holos.pause(), holos.region("unseen"):
                pass


steps()
list(some())
try:
    with holos.region("failing"):
        failing()
except ValueError:
    pass
thread = threading.Thread(target=holos.region("in a thread")(short), args=(1,))
thread.start()
thread.join()
