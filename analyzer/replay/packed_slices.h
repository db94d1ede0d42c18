// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "analyzer/memory/records.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::replay {

/// The time of one call path within one slice.
struct PathTicks {
    std::uint32_t path;
    trace::Ticks ticks;
};

/// Times per call path, slice by slice. There are many more of them than of anything else that is kept, and
/// most are small: numbers are written seven bits to a byte, the eighth one says whether there are more.
/// Before each slice stands its length in bytes.
class PackedSlices {
  public:
    explicit PackedSlices(Memory memory = heap()) : bytes_(memory), marks_(memory) {}

    /// Adds the next slice.
    void append(std::span<const PathTicks> slice);
    std::uint32_t size() const { return size_; }

    /// Calls `visit` with each path and its ticks in `first` ≤ slice < `last`, slice by slice.
    template <class Visit>
    void visit(std::uint32_t first, std::uint32_t last, Visit&& visit) const {
        last = std::min(last, size_);
        if (first >= last) return;
        const std::uint8_t* next = begin(first);
        for (std::uint32_t slice = first; slice < last; ++slice) {
            const std::uint64_t length = take(next);
            for (const std::uint8_t* const end = next + length; next != end;) {
                const auto path = static_cast<std::uint32_t>(take(next));
                visit(path, fold(take(next)));
            }
        }
    }

    /// Describes itself to a `workers::Packer` or `workers::Unpacker`.
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(bytes_);
        packing.list(marks_);
        packing.value(size_);
    }

  private:
    static constexpr std::uint32_t kMarked = 8;  ///< every such slice's begin is known

    static std::size_t lengthOf(std::uint64_t number) {
        return (static_cast<std::size_t>(std::bit_width(number | 1U)) + 6) / 7;
    }
    static void put(std::uint64_t number, std::uint8_t*& next) {
        for (; number >= 0x80U; number >>= 7U) *next++ = static_cast<std::uint8_t>(number | 0x80U);
        *next++ = static_cast<std::uint8_t>(number);
    }
    static std::uint64_t take(const std::uint8_t*& next) {
        std::uint64_t number = *next & 0x7FU;
        for (unsigned shift = 7; *next++ >= 0x80U; shift += 7)
            number |= std::uint64_t{*next & 0x7FU} << shift;
        return number;
    }
    /// Small negative numbers are small, too: 0, −1, 1, −2, …
    static std::uint64_t unfold(trace::Ticks ticks) {
        const auto bits = static_cast<std::uint64_t>(ticks);
        return ticks < 0 ? ~(bits << 1U) : bits << 1U;
    }
    static trace::Ticks fold(std::uint64_t bits) {
        return static_cast<trace::Ticks>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
    }
    const std::uint8_t* begin(std::uint32_t slice) const;

    Records<std::uint8_t> bytes_;
    Records<std::uint64_t> marks_;  ///< where every `kMarked`-th slice begins
    std::uint32_t size_ = 0;
};

}  // namespace holos::analyzer::replay
