/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to 1,600 new pages of a static array, as many of a block of the heap, and as many of one that took
   the place of a freed one; and tells nobody. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/prctl.h>

enum { kPage = 4096, kPages = 1600, kBytes = kPages * kPage };
static char grid[kBytes] __attribute__((aligned(4096)));

static void touch(volatile char* memory) {
    size_t i;
    for (i = 0; i < kPages; ++i) memory[i * kPage] = 1;
}

static char* make_block(void) {
    char* const block = aligned_alloc(kPage, kBytes);
    if (block == NULL) exit(1);
    return block;
}

static char* make_zeros(void) {
    char* const block = calloc(kPages, kPage);
    if (block == NULL) exit(1);
    return block;
}

int main(void) {
    char* block;
    if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return 1;
    touch(grid);
    block = make_block();
    touch(block);
    free(block);
    block = make_zeros();
    touch(block);
    free(block);
    return 0;
}
