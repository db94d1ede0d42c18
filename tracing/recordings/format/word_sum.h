// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace holos::tracing {

/// A sum of words of 64 bit that changes where one of them or their order does: what a file should have and
/// has. Not against those who mean harm.
class WordSum {
  public:
    void add(std::uint64_t word) noexcept {
        sum_ += word;
        ordered_ += sum_;
    }
    std::uint64_t value() const noexcept {
        constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
        const std::uint64_t mixed = (sum_ ^ ordered_ >> 29U) * kFactor + ordered_;
        return mixed ^ mixed >> 32U;
    }

  private:
    std::uint64_t sum_ = 0;
    std::uint64_t ordered_ = 0;  ///< of the sums at each step
};

/// Of one word in each 128 bytes, and the last one: disks and file systems lose no less than 512 at a time. A
/// chunk of 256 KB takes half a microsecond, next to nothing beside its events.
inline std::uint64_t sumOfSomeWords(const std::uint64_t* words, std::size_t count) noexcept {
    constexpr std::size_t kStep = 128 / sizeof(std::uint64_t);
    WordSum sum;
    for (std::size_t i = 0; i < count; i += kStep) sum.add(words[i]);
    if (count != 0) sum.add(words[count - 1]);
    return sum.value();
}

/// Of all bytes; those behind the last whole word count as a word with zeros behind them.
inline std::uint64_t sumOfBytes(const void* data, std::size_t bytes) noexcept {
    WordSum sum;
    const auto* const begin = static_cast<const unsigned char*>(data);
    for (std::size_t done = 0; done < bytes; done += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, begin + done, bytes - done < sizeof word ? bytes - done : sizeof word);
        sum.add(word);
    }
    return sum.value();
}

}  // namespace holos::tracing
