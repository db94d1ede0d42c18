/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

/* Returns once a thread of this process, by the kernel's number, sleeps, or has ended: a busy machine lets
   nobody see a short sleep. */
static void awaitSleepOf(int id) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
    for (char state = 'R'; state != 'S';) {
        FILE* const file = fopen(path, "r");
        if (file == NULL) return;
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        const char* const end = strrchr(text, ')');
        if (end == NULL) return;
        state = end[2];
    }
}
