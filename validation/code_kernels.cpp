// SPDX-License-Identifier: BSD-3-Clause
// Code that was never run before: the validity study's in-line microbenchmarks (section 2.1).
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "validation/fresh_memory.h"
#include "validation/kernels.h"
#include "validation/processors.h"

namespace holos::validation::kernels {

namespace {

using Function = void (*)();

/// Writes a jump from a place in code to another one.
void putJump(char* from, const char* to) noexcept {
#if defined(__x86_64__)
    constexpr unsigned char kJump = 0xe9;
    constexpr std::ptrdiff_t kBytes = 5;
    const auto distance = static_cast<std::int32_t>(to - from - kBytes);
    std::memcpy(from, &kJump, sizeof kJump);
    std::memcpy(from + 1, &distance, sizeof distance);
#elif defined(__aarch64__)
    constexpr std::uint32_t kBranch = 0x14000000, kDistance = 0x03ffffff;
    const std::uint32_t code = kBranch | (static_cast<std::uint32_t>((to - from) / 4) & kDistance);
    std::memcpy(from, &code, sizeof code);
#else
    static_cast<void>(from);
    static_cast<void>(to);
#endif
}

void putReturn(char* at) noexcept {
#if defined(__x86_64__)
    constexpr unsigned char kReturn = 0xc3;
    std::memcpy(at, &kReturn, sizeof kReturn);
#elif defined(__aarch64__)
    constexpr std::uint32_t kReturn = 0xd65f03c0;
    std::memcpy(at, &kReturn, sizeof kReturn);
#else
    static_cast<void>(at);
#endif
}

/// The numbers from 1 on in an order that no prefetcher foresees, behind 0, where the code begins.
std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t state = 88172645463325252U;
    for (std::size_t left = count; left > 2; --left) {
        state ^= state << 13U;  // Marsaglia's xorshift
        state ^= state >> 7U;
        state ^= state << 17U;
        std::swap(order[left - 1], order[1 + state % (left - 1)]);
    }
    return order;
}

/// Runs `size` jumps, each in a block of its own, all once.
void runBlocks(std::uint64_t size, std::size_t blockBytes, Window& window) {
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw Error("microbenchmarks of code are written for x86-64 and AArch64 only");
#endif
    const FreshMemory memory(size * blockBytes);
    const auto order = shuffled(size);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        putJump(memory.begin() + order[i] * blockBytes, memory.begin() + order[i + 1] * blockBytes);
    putReturn(memory.begin() + order.back() * blockBytes);
    if (::mprotect(memory.begin(), memory.bytes(), PROT_READ | PROT_EXEC) != 0)
        throw Error("the system does not allow code that a program generates: " +
                    std::string(std::strerror(errno)));
    char* const begin = memory.begin();
    __builtin___clear_cache(begin, begin + memory.bytes());
    const auto run = reinterpret_cast<Function>(memory.begin());
    window.begin();
    run();
    window.end();
}

}  // namespace

void runLines(std::uint64_t size, Window& window) {
    runBlocks(size, cacheLineBytes(), window);
}

void runPages(std::uint64_t size, Window& window) {
    runBlocks(size, pageBytes(), window);
}

}  // namespace holos::validation::kernels
