// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/chunk_scan.h"

#include <algorithm>

#include "tracing/core/record.h"

namespace holos::archive {
namespace {

/// More are a damaged number.
constexpr std::uint32_t kMostLocations = 1u << 30;

bool isHead(std::uint64_t word) {
    const std::size_t units = tracing::highHalf(word);
    return tracing::lowHalf(word) != 0 && tracing::lowHalf(word) <= kMostLocations && units != 0 &&
           units <= tracing::kChunkBytes / tracing::kUnitBytes;
}

}  // namespace

void ChunkScan::goOn(const WordAt& wordAt, std::uint64_t end) {
    while (next_ < end) {
        const auto word = wordAt(next_);
        if (!word) return;
        const bool isChunk = isHead(*word);
        const std::size_t bytes = tracing::kUnitBytes * (isChunk ? tracing::highHalf(*word) : 1);
        if (isChunk)
            found_.push_back({tracing::lowHalf(*word) - 1, {next_, bytes}});
        else
            gaps_.push_back(next_);
        next_ += bytes;
    }
}

std::optional<std::uint64_t> ChunkScan::firstBegun(const WordAt& wordAt) const {
    const auto begun = std::ranges::find_if(gaps_, [&](std::uint64_t at) {
        const auto word = wordAt(at);
        return word && *word != 0;
    });
    return begun != gaps_.end() ? std::optional(*begun) : std::nullopt;
}

bool ChunkScan::catchUp(const WordAt& wordAt) {
    const auto from = firstBegun(wordAt);
    if (!from) return false;
    const std::uint64_t end = next_;
    forgetFrom(*from);
    goOn(wordAt, end);
    return true;
}

void ChunkScan::stayBehind(const WordAt& wordAt) {
    if (const auto from = firstBegun(wordAt)) forgetFrom(*from);
}

void ChunkScan::forgetFrom(std::uint64_t at) {
    std::erase_if(found_, [at](const auto& one) { return one.second.offset >= at; });
    std::erase_if(gaps_, [at](std::uint64_t gap) { return gap >= at; });
    next_ = at;
}

}  // namespace holos::archive
