// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/chunk_places.h"

#include <algorithm>

#include "base/input_file.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

ChunkPlaces byLocation(const ChunkScan& scan) {
    ChunkPlaces places;
    for (const auto& [location, place] : scan.found()) places[location].push_back(place);
    return places;
}

}  // namespace

ChunkPlaces chunkPlaces(const std::filesystem::path& events, std::uint64_t end, const ChunkProofs& proofs) {
    ChunkScan scan(proofs);
    scan.goOn(openRegular(events), end);
    return byLocation(scan);
}

ChunkPlaces chunkPlacesNow(const std::filesystem::path& events) {
    constexpr int kMostTries = 20;
    const Descriptor file = openRegular(events);
    ChunkScan scan;
    scan.goOn(file, std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < kMostTries; ++i)
        if (!scan.catchUp(file)) return byLocation(scan);
    scan.stayBehind(file);
    return byLocation(scan);
}

namespace {

/// More are a damaged number.
constexpr std::uint32_t kMostLocations = 1u << 30;
/// After so many units of zeros in a row it is worth asking where the next data is.
constexpr std::uint64_t kManyZeros = 16 * tracing::kUnitBytes;

bool isHead(std::uint64_t word) {
    const std::size_t units = tracing::highHalf(word);
    return tracing::lowHalf(word) != 0 && tracing::lowHalf(word) <= kMostLocations && units != 0 &&
           units <= tracing::kChunkBytes / tracing::kUnitBytes;
}

/// Nothing behind the end of the file.
std::optional<std::uint64_t> wordAt(const Descriptor& file, std::uint64_t offset) {
    std::uint64_t word = 0;
    return readAt(file, &word, sizeof word, offset) == sizeof word ? std::optional(word) : std::nullopt;
}

/// The unit in which the file has something again; nothing where it has no more.
std::optional<std::uint64_t> unitWithData(const Descriptor& file, std::uint64_t offset) {
    const auto data = dataFrom(file, offset);
    return data ? std::optional(std::max(offset, *data / tracing::kUnitBytes * tracing::kUnitBytes))
                : std::nullopt;
}

}  // namespace

/// At `next_`: one that is known, or one whose head is there.
bool ChunkScan::takeChunk(const Descriptor& file) {
    if (const auto known = proofs_.find(next_); known != proofs_.end()) {
        const ChunkProof& proof = known->second;
        found_.push_back({proof.location, {next_, proof.bytes, ChunkPlace::kAll, proof}});
        next_ += proof.bytes;
        return true;
    }
    const std::uint64_t word = wordAt(file, next_).value_or(0);
    if (!isHead(word)) return false;
    const std::size_t bytes = tracing::kUnitBytes * tracing::highHalf(word);
    found_.push_back({tracing::lowHalf(word) - 1, {next_, bytes}});
    next_ += bytes;
    return true;
}

void ChunkScan::addGap(std::uint64_t end) {
    if (!gaps_.empty() && gaps_.back().end == next_)
        gaps_.back().end = end;
    else
        gaps_.push_back({next_, end});
    next_ = end;
}

void ChunkScan::goOn(const Descriptor& file, std::uint64_t end) {
    while (next_ < end) {
        if (takeChunk(file)) continue;
        const auto proven = proofs_.lower_bound(next_);
        const std::uint64_t known = proven != proofs_.end() ? proven->first : end;
        if (!wordAt(file, next_)) {  // behind the end
            if (proven == proofs_.end()) return;
            addGap(known);
            continue;
        }
        std::uint64_t next = next_ + tracing::kUnitBytes;
        const bool isLong = !gaps_.empty() && gaps_.back().end == next_ &&
                            gaps_.back().end - gaps_.back().begin >= kManyZeros;
        if (isLong) {
            const auto data = unitWithData(file, next);
            if (!data && proven == proofs_.end()) return;  // what is there later is looked at then
            next = data.value_or(known);
        }
        addGap(std::min(next, known));
    }
}

std::optional<std::uint64_t> ChunkScan::firstBegun(const Descriptor& file) const {
    for (const Gap& gap : gaps_)
        for (std::uint64_t at = gap.begin; at < gap.end;) {
            const auto word = wordAt(file, at);
            if (word && *word != 0) return at;
            at += tracing::kUnitBytes;
            if (at - gap.begin > kManyZeros) at = unitWithData(file, at).value_or(gap.end);
        }
    return std::nullopt;
}

bool ChunkScan::catchUp(const Descriptor& file) {
    const auto from = firstBegun(file);
    if (!from) return false;
    const std::uint64_t end = next_;
    forgetFrom(*from);
    goOn(file, end);
    return true;
}

void ChunkScan::stayBehind(const Descriptor& file) {
    if (const auto from = firstBegun(file)) forgetFrom(*from);
}

void ChunkScan::forgetFrom(std::uint64_t at) {
    std::erase_if(found_, [at](const auto& one) { return one.second.offset >= at; });
    std::erase_if(gaps_, [at](const Gap& gap) { return gap.begin >= at; });
    if (!gaps_.empty()) gaps_.back().end = std::min(gaps_.back().end, at);
    next_ = at;
}

}  // namespace holos::archive
