// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "validation/microbenchmark.h"

namespace holos::validation {

/// Zeroed pages of the base size that nobody touched yet; transparent huge pages are off.
class FreshMemory {
  public:
    /// Throws Error when there is not as much.
    explicit FreshMemory(std::size_t bytes);
    ~FreshMemory();
    FreshMemory(const FreshMemory&) = delete;
    FreshMemory& operator=(const FreshMemory&) = delete;

    char* begin() const noexcept { return begin_; }
    std::size_t bytes() const noexcept { return bytes_; }

  private:
    char* begin_;
    std::size_t bytes_;
};

/// What the system says.
std::size_t pageBytes();

}  // namespace holos::validation

namespace holos::validation::kernels {

/// What the microbenchmarks do: each leads to `size` events within the window.

/// Reads a word and does nothing with it.
inline void load(const volatile std::uint64_t& word) noexcept {
    const std::uint64_t value = word;
    asm volatile("" : : "r"(value));
}

/// Nothing: what is counted is the reading of the counter.
void nothing(std::uint64_t size, Window& window);

/// Writes one word on each page of memory that was not touched before; or reads it.
void writePages(std::uint64_t size, Window& window);
void readPages(std::uint64_t size, Window& window);

/// Two threads on two processors, with an array of cache lines.
/// Each thread writes one half; then each reads the other's, which no prefetcher may fetch ahead.
void readOthersLines(std::uint64_t size, Window& window);
/// The observed thread writes all lines and waits while the other one reads them out of its cache.
void lendLines(std::uint64_t size, Window& window);
/// The threads write the same word in turn.
void pingPong(std::uint64_t size, Window& window);
/// The other thread writes all lines; then the observed one reads, thereby shares, and writes each.
void writeSharedLines(std::uint64_t size, Window& window);
/// Lines that are in no cache; each thread reads, thereby owns, and writes its half.
void writeCleanLines(std::uint64_t size, Window& window);

/// Jumps to and fro through code that was never run before, one in each cache line; or one on each page.
void runLines(std::uint64_t size, Window& window);
void runPages(std::uint64_t size, Window& window);

/// Loops of known instructions.
void additions(std::uint64_t size, Window& window);
/// `additions` while another thread does as many on another processor.
void additionsOfTwo(std::uint64_t size, Window& window);
/// `additions` in twice as many threads as there are processors, none of which is bound to one.
void additionsOfMany(std::uint64_t size, Window& window);
void multiplications(std::uint64_t size, Window& window);
void divisions(std::uint64_t size, Window& window);
void loads(std::uint64_t size, Window& window);
void stores(std::uint64_t size, Window& window);
void instructions(std::uint64_t size, Window& window);
void takenBranches(std::uint64_t size, Window& window);
/// Twice as many branches as `size` go by chance: every other one is predicted wrongly.
void randomBranches(std::uint64_t size, Window& window);

/// Two threads on one processor hand a baton to each other, and sleep until they have it.
void handOver(std::uint64_t size, Window& window);
/// Moves itself to and fro between two processors.
void migrate(std::uint64_t size, Window& window);
/// Computes for `size` nanoseconds of processor time.
void compute(std::uint64_t size, Window& window);

}  // namespace holos::validation::kernels
