// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

namespace {

/// So many bytes one entry takes at most.
constexpr std::size_t kLongestEntry = 5 + kLongestNumber;
/// The length of so many entries takes one byte.
constexpr std::size_t kShort = 0x7F / kLongestEntry;
/// So many bytes more become room at a time, where they are allocated already.
constexpr std::size_t kRoom = 4096;
/// From so many bytes on they move seldom: what is allocated and not used costs no memory, but moving does.
constexpr std::size_t kLong = std::size_t{256} * 1024;
constexpr std::size_t kGrowth = 8;

std::size_t lengthOf(std::span<const PathTicks> slice) {
    std::size_t length = 0;
    for (const PathTicks& entry : slice)
        length += packedLength(entry.path) + packedLength(unfold(entry.ticks));
    return length;
}

}  // namespace

void PackedSlices::makeRoom(std::size_t needed) {
    const bool isOnHeap = bytes_.get_allocator().resource() == heap();
    if (needed > bytes_.capacity() && needed >= kLong && isOnHeap) bytes_.reserve(kGrowth * needed);
    bytes_.resize(std::max(needed, std::min(bytes_.capacity(), used_ + kRoom)));
}

void PackedSlices::append(std::span<const PathTicks> slice) {
    if (size_ % kMarked == 0) marks_.push_back(used_);
    ++size_;
    const std::size_t most = used_ + kLongestNumber + slice.size() * kLongestEntry;
    if (most > bytes_.size()) makeRoom(most);
    std::uint8_t* const begin = bytes_.data() + used_;
    std::uint8_t* next = begin;
    putNumber(slice.size() <= kShort ? 0 : lengthOf(slice), next);
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
    if (slice.size() <= kShort) *begin = static_cast<std::uint8_t>(next - begin - 1);
    used_ = static_cast<std::size_t>(next - bytes_.data());
}

void PackedSlices::reserveAs(const PackedSlices& others) {
    bytes_.reserve(others.bytes_.size() + others.used_ / 8);
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
