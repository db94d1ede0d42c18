// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/chunk_places.h"

#include "base/input_file.h"
#include "tracing/recordings/archive/chunk_scan.h"

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

}  // namespace holos::archive
