# SPDX-License-Identifier: BSD-3-Clause
# Runs `main` of a shared library, as programs that load what they need: MPI comes with the library.
import ctypes
import sys

sys.exit(ctypes.CDLL(sys.argv[1]).main(0, None))
