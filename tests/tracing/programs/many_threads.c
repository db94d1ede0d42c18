/* SPDX-License-Identifier: BSD-3-Clause */
/* A hundred threads that do nothing, and one that does much. Fails where the recording takes more than 8 MB
 * on the disk then; argument: the folder of the recording. */
#include <holos/holos.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 100, kRegions = 20000 };

static void* idle(void* unused) {
    return unused;
}

static void* work(void* unused) {
    for (int i = 0; i < kRegions; ++i) {
        HOLOS_REGION_BEGIN(tiny, "tiny");
        HOLOS_REGION_END(tiny);
    }
    return unused;
}

static int kilobytesBelow(const char* folder) {
    char command[4096];
    int kilobytes = -1;
    snprintf(command, sizeof command, "LD_PRELOAD= du -sk '%s'", folder);
    FILE* const answer = popen(command, "r");
    if (answer == NULL || fscanf(answer, "%d", &kilobytes) != 1) return -1;
    pclose(answer);
    return kilobytes;
}

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    for (int i = 0; i <= kThreads; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, i < kThreads ? idle : work, NULL) != 0) return 2;
        pthread_join(thread, NULL);
    }
    const int kilobytes = kilobytesBelow(argv[1]);
    printf("%d kB\n", kilobytes);
    return kilobytes > 0 && kilobytes < 8192 ? 0 : 3;
}
