// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

namespace {

/// How many bytes one entry takes at most.
constexpr std::size_t kLongestEntry = 5 + kLongestNumber;

}  // namespace

[[gnu::always_inline]] inline std::uint8_t* PackedSlices::beginSlice(std::size_t most) {
    if (size_ % kMarked == 0) mark();
    ++size_;
    const std::size_t needed = bytes_.size() + kLongestNumber + most;
    if (needed > bytes_.capacity()) bytes_.reserve(std::max(needed, 2 * bytes_.capacity()));
    return bytes_.end() + packedLength(most);
}

[[gnu::always_inline]] inline void PackedSlices::endSlice(std::uint8_t* begin, std::uint8_t* end) {
    putNumber(static_cast<std::uint64_t>(end - begin), bytes_.end(), begin);
    bytes_.resizeUnset(static_cast<std::size_t>(end - bytes_.data()));
}

void PackedSlices::append(std::span<const PathTicks> slice) {
    std::uint8_t* const begin = beginSlice(slice.size() * kLongestEntry);
    std::uint8_t* next = begin;
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
    endSlice(begin, next);
}

void PackedSlices::appendRenumbered(Reader& others, std::span<const std::uint32_t> numbers,
                                    std::span<trace::Ticks> sums, std::span<const PathTicks> changes) {
    const std::uint8_t*& from = others.next_;
    const std::uint64_t length = takeNumber(from);
    const std::uint8_t* const end = from + length;
    // Of an entry, which has two bytes at least, the first number may become as long as five.
    std::uint8_t* const begin = beginSlice(length * 3 + changes.size() * kLongestEntry);
    std::uint8_t* next = begin;
    while (from != end) {
        const std::uint64_t number = takeNumber(from);
        const std::uint32_t path = numbers[number];
        std::uint64_t ticks = takeNumber(from);
        for (const PathTicks& change : changes)
            if (change.path == number) ticks = unfold(fold(ticks) + change.ticks);
        if (ticks == 0 || path == kNoPath) continue;
        sums[path] += fold(ticks);
        putNumber(path, next);
        putNumber(ticks, next);
    }
    endSlice(begin, next);
}

void PackedSlices::reserveAs(const PackedSlices& others) {
    bytes_.reserve(others.bytes_.size() + others.bytes_.size() / 8);
    marks_.reserve(others.marks_.size());
}

void PackedSlices::mark() {
    while (wraps_.size() < bytes_.size() >> 32U) wraps_.push_back(static_cast<std::uint32_t>(marks_.size()));
    marks_.push_back(static_cast<std::uint32_t>(bytes_.size()));
}

std::size_t PackedSlices::marked(std::uint32_t mark) const {
    std::size_t upper = 0;
    while (upper < wraps_.size() && wraps_[upper] <= mark) ++upper;
    return upper << 32U | marks_[mark];
}

const std::uint8_t* PackedSlices::begin(std::uint32_t slice) const {
    const std::uint8_t* next = bytes_.data() + marked(slice / kMarked);
    for (std::uint32_t i = slice % kMarked; i != 0; --i) {
        const std::uint64_t length = takeNumber(next);
        next += length;
    }
    return next;
}

}  // namespace holos::analyzer::replay
