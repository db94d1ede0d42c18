/* SPDX-License-Identifier: BSD-3-Clause */
/* Touches a thousand new pages, and tells nobody. */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char* memory =
        mmap(NULL, 1000 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t i;
    if (memory == MAP_FAILED || madvise((void*)memory, 1000 * page, MADV_NOHUGEPAGE) != 0) return 1;
    for (i = 0; i < 1000; ++i) memory[i * page] = 1;
    return 0;
}
