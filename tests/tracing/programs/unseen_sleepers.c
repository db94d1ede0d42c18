/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that sleeps where the recorder cannot see it, inside of a function of the C library, while the
 * main thread computes for PAUSE seconds of processor time. With an argument the program then kills itself.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "asleep.h"

#define PAUSE 0.2

static int ends[2]; /* of a pipe */
static atomic_int id;

static void* waitForLine(void* data) {
    (void)data;
    char line[8];
    FILE* const file = fdopen(ends[0], "r");
    id = (int)syscall(SYS_gettid);
    if (file == NULL || fgets(line, sizeof line, file) == NULL) exit(1);
    return NULL;
}

static void compute(void) {
    const clock_t begin = clock();
    while (clock() - begin < PAUSE * CLOCKS_PER_SEC) {
    }
}

int main(int argc, char** argv) {
    (void)argv;
    pthread_t thread;
    if (pipe(ends) != 0 || pthread_create(&thread, NULL, waitForLine, NULL) != 0) return 1;
    while (id == 0) {
    }
    awaitSleepOf(id);
    compute();
    if (argc > 1) raise(SIGKILL);
    if (write(ends[1], "line\n", 5) != 5) return 1;
    pthread_join(thread, NULL);
    return 0;
}
