/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports what an interpreter of Python does, of a version that is not known. */
#include <unistd.h>

long _PyRuntime[1024];
const unsigned long Py_Version = 0x03090000;

void _PyEval_EvalFrameDefault(int depth) {
    if (depth > 0)
        _PyEval_EvalFrameDefault(depth - 1);
    else
        usleep(2000);
    __asm__ volatile("" ::: "memory");
}
