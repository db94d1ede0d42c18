/* SPDX-License-Identifier: BSD-3-Clause */
/* living_program REGIONS BEGUN GO: enters so many regions, makes the file BEGUN, waits for the file GO, and
 * enters as many again. Ends at once when BEGUN is gone: nobody waits for it any more. */
#include <fcntl.h>
#include <holos/holos.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void work(int times) {
    int i;
    for (i = 0; i < times; ++i) {
        HOLOS_REGION_BEGIN(region, "work");
        HOLOS_REGION_END(region);
    }
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    work(atoi(argv[1]));
    close(open(argv[2], O_WRONLY | O_CREAT, 0600));
    while (access(argv[3], F_OK) != 0) {
        if (access(argv[2], F_OK) != 0 && access(argv[3], F_OK) != 0) return 0;
        usleep(1000);
    }
    work(atoi(argv[1]));
    return 0;
}
