// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

void PackedSlices::append(std::span<const PathTicks> slice) {
    if (size_ % kMarked == 0) marks_.push_back(bytes_.size());
    ++size_;
    std::size_t length = 0;
    for (const PathTicks& entry : slice)
        length += packedLength(entry.path) + packedLength(unfold(entry.ticks));
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + packedLength(length) + length);
    std::uint8_t* next = bytes_.data() + begin;
    putNumber(length, next);
    for (const PathTicks& entry : slice) {
        putNumber(entry.path, next);
        putNumber(unfold(entry.ticks), next);
    }
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
