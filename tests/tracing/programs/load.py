# SPDX-License-Identifier: BSD-3-Clause
# Runs `main` of a shared library, as programs that load what they need: MPI comes with the library. Where a second
# library is named, the program asks it first whether MPI has begun.
import ctypes
import sys

if len(sys.argv) > 2:
    ctypes.CDLL(sys.argv[2]).MPI_Initialized(ctypes.byref(ctypes.c_int()))
sys.exit(ctypes.CDLL(sys.argv[1]).main(0, None))
