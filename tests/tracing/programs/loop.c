/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters so many regions, one of two in turn, as the first word says; with a second word, then kills itself.
 */
#include <holos/holos.h>
#include <signal.h>
#include <stdlib.h>

int main(int count, char** words) {
    const int times = count > 1 ? atoi(words[1]) : 0;
    int i;
    for (i = 0; i < times; ++i) {
        if (i % 2 == 0) {
            HOLOS_REGION_BEGIN(even, "even");
            HOLOS_REGION_END(even);
        } else {
            HOLOS_REGION_BEGIN(odd, "odd");
            HOLOS_REGION_BEGIN(inner, "inner");
            HOLOS_REGION_END(inner);
            HOLOS_REGION_END(odd);
        }
    }
    if (count > 2) {
        HOLOS_REGION_BEGIN(last, "last");
        raise(SIGKILL);
        HOLOS_REGION_END(last);
    }
    return 0;
}
