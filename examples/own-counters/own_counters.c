/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults of two parts of a program, which it counts itself. */
#define _GNU_SOURCE
#include <holos/counters.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes to so many pages that were never touched: a page fault each. */
static void touchPages(size_t pages) {
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char* memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t i;
    if (memory == MAP_FAILED) exit(1);
    madvise(memory, pages * size, MADV_NOHUGEPAGE);
    for (i = 0; i < pages; ++i) memory[i * size] = 1;
    munmap(memory, pages * size);
}

static void check(int failed) {
    if (!failed) return;
    fprintf(stderr, "%s\n", holos_counters_error());
    exit(1);
}

int main(void) {
    long long faults = 0, sum = 0;
    struct holos_rate rate;
    int round;
    holos_counters* counters = holos_counters_start("ru_minflt");
    check(counters == NULL);

    touchPages(1000);
    check(holos_counters_read(counters, &faults));
    printf("first part: %lld page faults\n", faults);

    check(holos_counters_accumulate(counters, &faults)); /* counts on from 0 */
    for (round = 0; round < 3; ++round) {
        touchPages(1000);
        check(holos_counters_accumulate(counters, &sum));
    }
    printf("three rounds: %lld page faults\n", sum);
    check(holos_counters_stop(counters, NULL));

    check(holos_rate_of("ru_minflt", NULL, &rate));
    touchPages(1000);
    check(holos_rate_of("ru_minflt", NULL, &rate));
    printf("rate: %.0f page faults per second on a processor\n", rate.rate);
    holos_rate_stop();
    return 0;
}
