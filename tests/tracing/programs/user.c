/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says of itself. */
#include <holos/holos.h>

int main(void) {
    int i;
    HOLOS_REGION_BEGIN(before, "before");
    HOLOS_REGION_END(before);
    HOLOS_PHASE_BEGIN(phase, "iteration");
    HOLOS_PARAMETER("number", 7);
    for (i = 0; i < 2; ++i) {
        HOLOS_METRIC_INTEGER("queue", "items", HOLOS_STATE, i - 3);
        HOLOS_METRIC_REAL("energy", "J", HOLOS_TOTAL, 1.5 * i);
    }
    HOLOS_PAUSE();
    HOLOS_PAUSE(); /* once is enough */
    HOLOS_REGION_BEGIN(unseen, "unseen");
    HOLOS_REGION_END(unseen);
    HOLOS_RESUME();
    HOLOS_RESUME();
    HOLOS_REGION_BEGIN(seen, "seen");
    HOLOS_REGION_END(seen);
    HOLOS_PHASE_END(phase);
    HOLOS_REGION_BEGIN(after, "after");
    HOLOS_REGION_END(after);
    return 0;
}
