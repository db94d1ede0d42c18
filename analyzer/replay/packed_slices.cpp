// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

#include <array>

namespace holos::analyzer::replay {

namespace {

/// So many bytes one entry takes at most.
constexpr std::size_t kLongestEntry = 5 + kLongestNumber;
/// The length of so many entries takes one byte.
constexpr std::size_t kShort = 0x7F / kLongestEntry;

void putEntries(std::span<const PathTicks> slice, std::uint8_t*& next) {
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
}

std::size_t lengthOf(std::span<const PathTicks> slice) {
    std::size_t length = 0;
    for (const PathTicks& entry : slice)
        length += packedLength(entry.path) + packedLength(unfold(entry.ticks));
    return length;
}

}  // namespace

void PackedSlices::append(std::span<const PathTicks> slice) {
    if (size_ % kMarked == 0) marks_.push_back(bytes_.size());
    ++size_;
    if (slice.size() <= kShort) {
        std::array<std::uint8_t, 1 + kShort * kLongestEntry> bytes;
        std::uint8_t* next = bytes.data() + 1;
        putEntries(slice, next);
        bytes[0] = static_cast<std::uint8_t>(next - bytes.data() - 1);
        bytes_.insert(bytes_.end(), bytes.data(), next);
        return;
    }
    const std::size_t length = lengthOf(slice);
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + packedLength(length) + length);
    std::uint8_t* next = bytes_.data() + begin;
    putNumber(length, next);
    putEntries(slice, next);
}

void PackedSlices::reserveAs(const PackedSlices& others) {
    bytes_.reserve(others.bytes_.size() + others.bytes_.size() / 8);
    marks_.reserve(others.marks_.size());
}

const std::uint8_t* PackedSlices::begin(std::uint32_t slice) const {
    const std::uint8_t* next = bytes_.data() + marks_[slice / kMarked];
    for (std::uint32_t i = slice % kMarked; i != 0; --i) {
        const std::uint64_t length = takeNumber(next);
        next += length;
    }
    return next;
}

}  // namespace holos::analyzer::replay
