// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

namespace {

/// So many bytes one entry takes at most.
constexpr std::size_t kLongestEntry = 5 + kLongestNumber;
/// From so many bytes on they move seldom: what is allocated and not used costs no memory, but moving does.
constexpr std::size_t kLong = std::size_t{256} * 1024;
constexpr std::size_t kGrowth = 8;

}  // namespace

void PackedSlices::makeRoom(std::size_t needed) {
    const bool isOnHeap = bytes_.get_allocator().resource() == heap();
    bytes_.resize(used_);  // nothing else moves
    if (needed > bytes_.capacity())
        bytes_.reserve(needed >= kLong && isOnHeap ? kGrowth * needed
                                                   : std::max(needed, 2 * bytes_.capacity()));
    bytes_.resize(bytes_.capacity());
}

void PackedSlices::append(std::span<const PathTicks> slice) {
    if (size_ % kMarked == 0) mark();
    ++size_;
    const std::size_t most = slice.size() * kLongestEntry;
    if (used_ + kLongestNumber + most > bytes_.size()) makeRoom(used_ + kLongestNumber + most);
    std::uint8_t* const length = &bytes_[used_].value;
    std::uint8_t* const begin = length + packedLength(most);
    std::uint8_t* next = begin;
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
    putNumber(static_cast<std::uint64_t>(next - begin), length, begin);
    used_ += static_cast<std::size_t>(next - length);
}

void PackedSlices::reserveAs(const PackedSlices& others) {
    bytes_.reserve(others.used_ + others.used_ / 8);
    marks_.reserve(others.marks_.size());
}

void PackedSlices::mark() {
    while (wraps_.size() < used_ >> 32U) wraps_.push_back(static_cast<std::uint32_t>(marks_.size()));
    marks_.push_back(static_cast<std::uint32_t>(used_));
}

std::size_t PackedSlices::marked(std::uint32_t mark) const {
    std::size_t upper = 0;
    while (upper < wraps_.size() && wraps_[upper] <= mark) ++upper;
    return upper << 32U | marks_[mark];
}

const std::uint8_t* PackedSlices::begin(std::uint32_t slice) const {
    const std::uint8_t* next = &bytes_[marked(slice / kMarked)].value;
    for (std::uint32_t i = slice % kMarked; i != 0; --i) {
        const std::uint64_t length = takeNumber(next);
        next += length;
    }
    return next;
}

}  // namespace holos::analyzer::replay
