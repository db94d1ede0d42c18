/* SPDX-License-Identifier: BSD-3-Clause */
/* Built as a library: a region within a function whose name says which of two libraries it is of. */
#include <holos/holos.h>

#define JOINED(a, b) a##b
#define NAME(which) JOINED(in_library_, which)

__attribute__((noinline)) void NAME(WHICH)(void) {
    HOLOS_REGION_BEGIN(region, "region");
    HOLOS_REGION_END(region);
    __asm__ volatile("");
}

void call(void) {
    NAME(WHICH)();
    __asm__ volatile("");
}
