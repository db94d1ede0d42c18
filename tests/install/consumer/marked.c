/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters the region "work" three times. */
#include <holos/holos.h>

int main(void) {
    int i;
    for (i = 0; i < 3; ++i) {
        HOLOS_REGION_BEGIN(work, "work");
        HOLOS_REGION_END(work);
    }
    return 0;
}
