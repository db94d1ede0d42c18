// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

namespace {

/// How many bytes one entry takes at most.
constexpr std::size_t kLongestEntry = 5 + kLongestNumber;
/// From so many bytes on they move seldom: what is allocated and not used costs no memory, but moving does.
constexpr std::size_t kLong = std::size_t{256} * 1024;
constexpr std::size_t kGrowth = 8;

}  // namespace

void PackedSlices::makeRoom(std::size_t needed) {
    const bool isOnHeap = bytes_.memory() == heap();
    bytes_.reserve(needed >= kLong && isOnHeap ? kGrowth * needed : std::max(needed, 2 * bytes_.capacity()));
}

void PackedSlices::append(std::span<const PathTicks> slice) {
    if (size_ % kMarked == 0) mark();
    ++size_;
    const std::size_t most = slice.size() * kLongestEntry;
    const std::size_t needed = bytes_.size() + kLongestNumber + most;
    if (needed > bytes_.capacity()) makeRoom(needed);
    std::uint8_t* const length = bytes_.end();
    std::uint8_t* const begin = length + packedLength(most);
    std::uint8_t* next = begin;
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
    putNumber(static_cast<std::uint64_t>(next - begin), length, begin);
    bytes_.resize(static_cast<std::size_t>(next - bytes_.data()));
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
