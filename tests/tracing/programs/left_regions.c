/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves the region `left` five times by longjmp, `around` once, and ends `whole` each time. With an argument
   it ends within `left`, without a jump. */
#include <holos/holos.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf out;

static void leaves(void) {
    HOLOS_REGION_BEGIN(region, "left");
    longjmp(out, 1);
}

static void ends(void) {
    HOLOS_REGION_BEGIN(region, "left");
    exit(0);
}

int main(int count, char** words) {
    volatile int jumps = 0;
    (void)words;
    if (count > 1) ends();
    HOLOS_REGION_BEGIN(around, "around");
    HOLOS_REGION_BEGIN(whole, "whole");
    setjmp(out);
    if (jumps++ < 5) leaves();
    HOLOS_REGION_END(whole);
    return 0;
}
