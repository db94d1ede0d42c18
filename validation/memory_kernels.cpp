// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "validation/fresh_memory.h"
#include "validation/kernels.h"
#include "validation/processors.h"

namespace holos::validation::kernels {

namespace {

using Word = volatile std::uint64_t;

/// Words, each on a cache line of its own.
class Lines {
  public:
    explicit Lines(std::uint64_t count) : memory_(count * cacheLineBytes()), stride_(cacheLineBytes()) {}

    Word& operator[](std::uint64_t line) const noexcept {
        return *reinterpret_cast<Word*>(memory_.begin() + line * stride_);
    }
    void write(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) (*this)[line] = line;
    }
    void read(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) load((*this)[line]);
    }
    void readAndWrite(std::uint64_t first, std::uint64_t count) const noexcept {
        for (std::uint64_t line = first; line < first + count; ++line) (*this)[line] = (*this)[line] + 1;
    }

  private:
    FreshMemory memory_;
    std::size_t stride_;
};

/// Fills the caches with something else.
void emptyCaches() {
    constexpr long kUnknown = 64 << 20;
    const long largest = std::max({::sysconf(_SC_LEVEL2_CACHE_SIZE), ::sysconf(_SC_LEVEL3_CACHE_SIZE)});
    const FreshMemory other(2 * static_cast<std::size_t>(largest > 0 ? largest : kUnknown));
    for (std::size_t at = 0; at < other.bytes(); at += cacheLineBytes()) other.begin()[at] = 1;
}

}  // namespace

void writePages(std::uint64_t size, Window& window) {
    const std::size_t page = pageBytes();
    const FreshMemory memory(size * page);
    window.begin();
    for (std::uint64_t at = 0; at < size; ++at) *reinterpret_cast<Word*>(memory.begin() + at * page) = 1;
    window.end();
}

void readPages(std::uint64_t size, Window& window) {
    const std::size_t page = pageBytes();
    const FreshMemory memory(size * page);
    window.begin();
    for (std::uint64_t at = 0; at < size; ++at) load(*reinterpret_cast<Word*>(memory.begin() + at * page));
    window.end();
}

void readOthersLines(std::uint64_t size, Window& window) {
    const Lines lines(2 * size);
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        lines.write(size, size);
        meeting.meet();
        lines.read(0, size);
    });
    lines.write(0, size);
    meeting.meet();
    window.begin();
    lines.read(size, size);
    window.end();
}

void lendLines(std::uint64_t size, Window& window) {
    const Lines lines(size);
    Meeting counted;
    std::atomic<bool> done{false};
    const auto other = onOtherProcessor([&] {
        counted.meet();
        lines.read(0, size);
        done.store(true, std::memory_order_release);
    });
    lines.write(0, size);
    window.begin();
    counted.meet();
    spinUntil([&] { return done.load(std::memory_order_acquire); });
    window.end();
}

void pingPong(std::uint64_t size, Window& window) {
    constexpr unsigned kOurs = 0, kTheirs = 1;
    alignas(256) std::atomic<unsigned> word{kTheirs};
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        for (std::uint64_t turn = 0; turn < size; ++turn) {
            spinUntil([&] { return word.load(std::memory_order_acquire) == kOurs; });
            word.store(kTheirs, std::memory_order_release);
        }
    });
    meeting.meet();
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) {
        word.store(kOurs, std::memory_order_release);
        spinUntil([&] { return word.load(std::memory_order_acquire) == kTheirs; });
    }
    window.end();
}

void writeSharedLines(std::uint64_t size, Window& window) {
    const Lines lines(size);
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        lines.write(0, size);
        meeting.meet();
    });
    meeting.meet();
    window.begin();
    lines.readAndWrite(0, size);
    window.end();
}

void writeCleanLines(std::uint64_t size, Window& window) {
    const Lines lines(2 * size);
    lines.write(0, 2 * size);
    emptyCaches();
    Meeting meeting;
    const auto other = onOtherProcessor([&] {
        meeting.meet();
        lines.readAndWrite(size, size);
    });
    meeting.meet();
    window.begin();
    lines.readAndWrite(0, size);
    window.end();
}

}  // namespace holos::validation::kernels
