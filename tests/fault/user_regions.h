/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs record that make it hard for the recorder: events, and definitions. */
#include <holos/holos.h>
#include <stdio.h>

static void work(int times) {
    for (int i = 0; i < times; ++i) {
        HOLOS_REGION_BEGIN(region, "work");
        HOLOS_REGION_END(region);
    }
}

/* Each is defined anew. */
static void nameRegions(int regions) {
    for (int i = 0; i < regions; ++i) {
        char name[40];
        holos_region region = 0;
        snprintf(name, sizeof name, "region %d", i);
        holos_region_begin(&region, name, __FILE__, __LINE__);
        holos_region_end(&region);
    }
}
