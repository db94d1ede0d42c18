// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "analyzer/memory/packed_records.h"
#include "analyzer/memory/records.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::replay {

/// The time of one call path within one slice.
struct PathTicks {
    std::uint32_t path;
    trace::Ticks ticks;
};

/// Times per call path, slice by slice. There are many more of them than of anything else that is kept, and
/// most are small. Before each slice stands its length in bytes.
/// Thread safety: safe to read.
class PackedSlices {
  public:
    explicit PackedSlices(Memory memory = heap()) : bytes_(memory), marks_(memory), wraps_(memory) {}

    /// Adds the next slice.
    void append(std::span<const PathTicks> slice);
    class Reader;
    /// Adds the next slice of others, with other numbers of call paths. Those that have no number
    /// (`kNoPath`), and times of 0, are left out. What is added is added to `sums`, by the new numbers, too.
    /// `changes`: what comes to times of these call paths before, which have their old numbers; where the
    /// slice has none of a call path, nothing comes to it.
    void appendRenumbered(Reader& others, std::span<const std::uint32_t> numbers,
                          std::span<trace::Ticks> sums, std::span<const PathTicks> changes = {});
    static constexpr std::uint32_t kNoPath = ~std::uint32_t{0};
    /// As many slices of about the same length as the others are going to be added.
    void reserveAs(const PackedSlices& others);
    std::uint32_t size() const { return size_; }

    /// Calls `visit` with each path and its ticks in `first` ≤ slice < `last`, slice by slice.
    template <class Visit>
    void visit(std::uint32_t first, std::uint32_t last, Visit&& visit) const {
        last = std::min(last, size_);
        if (first >= last) return;
        const std::uint8_t* next = begin(first);
        for (std::uint32_t slice = first; slice < last; ++slice) visitOne(next, visit);
    }

    /// Reads one slice after the other. A default one has none.
    class Reader {
      public:
        Reader() = default;
        /// From slice `first` on, which may be the end.
        explicit Reader(const PackedSlices& slices, std::uint32_t first = 0)
            : next_(first < slices.size_ ? slices.begin(first) : nullptr) {}

        /// Calls `visit` with each path of the next slice and its ticks. There is one.
        template <class Visit>
        void visit(Visit&& visit) {
            visitOne(next_, visit);
        }
        /// Passes over the next slice. There is one.
        void skip() {
            const std::uint64_t length = takeNumber(next_);
            next_ += length;
        }

      private:
        friend class PackedSlices;
        const std::uint8_t* next_ = nullptr;
    };

    /// Describes itself to a `Packer` or `Unpacker`.
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(bytes_);
        packing.list(marks_);
        packing.list(wraps_);
        packing.value(size_);
    }

  private:
    static constexpr std::uint32_t kMarked = 4;  ///< every such slice's start is known

    const std::uint8_t* begin(std::uint32_t slice) const;
    void mark();
    /// Room for a slice that has so many bytes at most.
    std::uint8_t* beginSlice(std::size_t most);
    void endSlice(std::uint8_t* begin, std::uint8_t* end);
    std::size_t marked(std::uint32_t mark) const;
    /// Moves `next` behind the slice.
    template <class Visit>
    static void visitOne(const std::uint8_t*& next, Visit&& visit) {
        const std::uint64_t length = takeNumber(next);
        for (const std::uint8_t* const end = next + length; next != end;) {
            const auto path = static_cast<std::uint32_t>(takeNumber(next));
            visit(path, fold(takeNumber(next)));
        }
    }

    Records<std::uint8_t> bytes_;
    Records<std::uint32_t> marks_;  ///< where every `kMarked`-th slice begins: the lower half of the number
    Records<std::uint32_t> wraps_;  ///< the first marks of which the upper half is 1, 2, …
    std::uint32_t size_ = 0;
};

}  // namespace holos::analyzer::replay
