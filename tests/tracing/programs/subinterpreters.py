# SPDX-License-Identifier: BSD-3-Clause
# Calls usleep from functions of a subinterpreter, which functions of the main one run, and from those, and writes into a
# file (the first argument) how Python itself sees the calls that led there, one line each: python_paths_test.cpp compares.
import ctypes
import sys

import _xxsubinterpreters as interpreters

usleep = ctypes.CDLL(None).usleep

HERE = '''
import sys
def here(before=""):
    path = "usleep"
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename.rsplit("/", 1)[-1] + ":" + frame.f_code.co_qualname
        path = f"{name} {frame.f_lineno}/{path}"
        frame = frame.f_back
    with open(sys.argv[1] if not before else told, "a", encoding="utf-8") as file:
        file.write(before + path + "\\n")
    return 20000
'''
exec(HERE)

INSIDE = '''
import ctypes
usleep = ctypes.CDLL(None).usleep
def inner():
    usleep(here(before))
def outer():
    inner()
    usleep(here(before))
outer()
'''


def path():
    """How the main interpreter sees the calls that lead to the caller's line."""
    text = ""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename.rsplit("/", 1)[-1] + ":" + frame.f_code.co_qualname
        text = f"{name} {frame.f_lineno}/{text}"
        frame = frame.f_back
    return text


def run(identity):
    usleep(here())
    interpreters.run_string(identity, f"before = {path()!r}\ntold = {sys.argv[1]!r}" + HERE + INSIDE)
    usleep(here())


def main():
    identity = interpreters.create()
    run(identity)
    run(identity)
    interpreters.destroy(identity)


main()
