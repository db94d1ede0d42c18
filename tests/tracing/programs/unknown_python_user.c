/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets a library that looks like an interpreter wait, from several depths. */
void _PyEval_EvalFrameDefault(int depth);

int main(void) {
    for (int depth = 0; depth < 3; ++depth) _PyEval_EvalFrameDefault(depth);
    return 0;
}
