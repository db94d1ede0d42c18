// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/allocations/blocks.h"

#include <iterator>

namespace holos::tracing::allocations {

void Blocks::add(std::uint64_t begin, std::uint64_t bytes, std::uint32_t path) {
    if (bytes == 0 || bytes > ~begin) return;
    clear(begin, begin + bytes);
    byBegin_[begin] = {begin, begin + bytes, path, ++last_};
}

std::optional<Block> Blocks::remove(std::uint64_t begin) {
    const auto found = byBegin_.find(begin);
    if (found == byBegin_.end()) return std::nullopt;
    const Block block = found->second;
    byBegin_.erase(found);
    return block;
}

void Blocks::restore(const Block& block) {
    clear(block.begin, block.end);
    byBegin_[block.begin] = block;
}

void Blocks::clear(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    auto at = byBegin_.lower_bound(begin);
    if (at != byBegin_.begin() && std::prev(at)->second.end > begin) --at;
    while (at != byBegin_.end() && at->first < end) {
        const Block block = at->second;
        at = byBegin_.erase(at);
        if (block.begin < begin) byBegin_[block.begin] = {block.begin, begin, block.path, block.number};
        if (block.end > end) byBegin_[end] = {end, block.end, block.path, block.number};
    }
}

std::optional<Block> Blocks::at(std::uint64_t address) const {
    const auto behind = byBegin_.upper_bound(address);
    if (behind == byBegin_.begin()) return std::nullopt;
    const Block& block = std::prev(behind)->second;
    return address < block.end ? std::optional(block) : std::nullopt;
}

}  // namespace holos::tracing::allocations
