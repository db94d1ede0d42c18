/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of one user region, start and end, as Holos or (with SCOREP_USER_ENABLE) Score-P has it.
   Prints nanoseconds. */
#include "cheapest.h"

#include <stdio.h>

#if defined(SCOREP_USER_ENABLE)
#include <scorep/SCOREP_User.h>
#define BEGIN(handle, name) SCOREP_USER_REGION_BEGIN(handle, name, SCOREP_USER_REGION_TYPE_COMMON)
#define END(handle) SCOREP_USER_REGION_END(handle)
SCOREP_USER_REGION_DEFINE(tiny)
#elif defined(PLAIN)
#define BEGIN(handle, name)
#define END(handle)
#else
#include <holos/holos.h>
#define BEGIN(handle, name) HOLOS_REGION_BEGIN(handle, name)
#define END(handle) HOLOS_REGION_END(handle)
#endif

static void regions(int count) {
    int i;
    for (i = 0; i < count; ++i) {
        BEGIN(tiny, "tiny");
        __asm__ volatile("");
        END(tiny);
    }
}

int main(void) {
    printf("%.1f\n", cheapest(100, 10000, regions));
    return 0;
}
