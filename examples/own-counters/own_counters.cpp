// SPDX-License-Identifier: BSD-3-Clause
// Page faults of two parts of a program, which it counts itself.
#include <holos/counters.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <exception>
#include <iostream>

namespace {

/// Writes to so many pages that were never touched: a page fault each.
void touchPages(std::size_t pages) {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const memory =
        ::mmap(nullptr, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory");
    ::madvise(memory, pages * size, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * size] = 1;
    ::munmap(memory, pages * size);
}

}  // namespace

int main() try {
    holos::Counters counters("ru_minflt");
    touchPages(1000);
    std::cout << "first part: " << counters.read()[0] << " page faults\n";

    std::vector<long long> skipped, sum;
    counters.accumulate(skipped);  // counts on from 0
    for (int round = 0; round < 3; ++round) {
        touchPages(1000);
        counters.accumulate(sum);
    }
    std::cout << "three rounds: " << sum[0] << " page faults\n";
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
