# SPDX-License-Identifier: BSD-3-Clause
# Threads that sleep, from functions of Python, and are still there when the interpreter ends.
import ctypes
import threading
import time

library = ctypes.CDLL(None)


def work(depth):
    if depth > 0:
        return work(depth - 1)
    while True:
        library.usleep(1000)


for _ in range(4):
    threading.Thread(target=work, args=(10,), daemon=True).start()
time.sleep(0.05)
print("main ends")
