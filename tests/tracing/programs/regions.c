/* SPDX-License-Identifier: BSD-3-Clause */
/* Does nothing but enter and leave a region, so that nearly all that is counted is the reading of counters.
 */
#include <holos/holos.h>

int main(void) {
    int i;
    for (i = 0; i < 20000; ++i) {
        HOLOS_REGION_BEGIN(empty, "empty");
        HOLOS_REGION_END(empty);
    }
    return 0;
}
