/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeps 20 times: each time the thread leaves its processor because it waits. */
#include <unistd.h>

int main(void) {
    int i;
    for (i = 0; i < 20; ++i) usleep(1000);
    return 0;
}
