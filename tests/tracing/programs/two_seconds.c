/* SPDX-License-Identifier: BSD-3-Clause */
/* A region at once, one that lasts, and one in it behind a pause of 1.6 s. */
#include <holos/holos.h>
#include <unistd.h>

int main(void) {
    HOLOS_REGION_BEGIN(early, "early");
    HOLOS_REGION_END(early);
    HOLOS_REGION_BEGIN(lasting, "lasting");
    usleep(1600 * 1000);
    HOLOS_REGION_BEGIN(late, "late");
    HOLOS_REGION_END(late);
    HOLOS_REGION_END(lasting);
    return 0;
}
