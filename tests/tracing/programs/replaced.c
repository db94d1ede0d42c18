/* SPDX-License-Identifier: BSD-3-Clause */
/* While it runs, its file becomes another one, as by a compiler: the file that the first word names. */
#include <holos/holos.h>
#include <stdio.h>

__attribute__((noinline)) static void solve(void) {
    HOLOS_REGION_BEGIN(step, "step");
    HOLOS_REGION_END(step);
}

int main(int count, char** words) {
    if (count > 1 && rename(words[1], words[0]) != 0) return 1;
    solve();
    return 0;
}
