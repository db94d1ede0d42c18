// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/chunk_places.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

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

/// Goes through the file from head to head, and unit by unit where no chunk is.
class ChunkScan {
  public:
    ChunkScan(const std::filesystem::path& events, std::uint64_t end) : end_(end) {
        file_.rdbuf()->pubsetbuf(nullptr, 0);  // a word of each chunk is read, not more
        file_.open(events, std::ios::binary);
        goOn(0);
    }

    /// Looks again where a chunk has begun meanwhile, and behind: words of it may have been taken for heads
    /// before. False when none has.
    bool catchUp() {
        const auto from = firstBegun();
        if (!from) return false;
        forgetFrom(*from);
        goOn(*from);
        return true;
    }
    /// Leaves out where a chunk has begun meanwhile, and what is behind.
    void stayBehind() {
        if (const auto from = firstBegun()) forgetFrom(*from);
    }

    ChunkPlaces places() const {
        ChunkPlaces places;
        for (const auto& [location, place] : found_) places[location].push_back(place);
        return places;
    }

  private:
    bool read(std::uint64_t at, std::uint64_t& word) {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(at));
        return static_cast<bool>(file_.read(reinterpret_cast<char*>(&word), sizeof word));
    }
    std::optional<std::uint64_t> firstBegun() {
        const auto begun = std::find_if(gaps_.begin(), gaps_.end(), [this](std::uint64_t at) {
            std::uint64_t word = 0;
            return read(at, word) && word != 0;
        });
        return begun != gaps_.end() ? std::optional(*begun) : std::nullopt;
    }
    void goOn(std::uint64_t at) {
        for (std::uint64_t word = 0; at < end_ && read(at, word);) {
            const bool isChunk = isHead(word);
            const std::size_t bytes = tracing::kUnitBytes * (isChunk ? tracing::highHalf(word) : 1);
            if (isChunk)
                found_.push_back({tracing::lowHalf(word) - 1, {at, bytes}});
            else
                gaps_.push_back(at);
            at += bytes;
        }
    }
    void forgetFrom(std::uint64_t at) {
        std::erase_if(found_, [at](const auto& one) { return one.second.offset >= at; });
        std::erase_if(gaps_, [at](std::uint64_t gap) { return gap >= at; });
    }

    std::ifstream file_;
    std::uint64_t end_;                                        ///< no chunk begins there or behind it
    std::vector<std::pair<std::uint32_t, ChunkPlace>> found_;  ///< with their locations
    std::vector<std::uint64_t> gaps_;                          ///< units that are of no chunk
};

}  // namespace

ChunkPlaces chunkPlaces(const std::filesystem::path& events, std::uint64_t end) {
    return ChunkScan(events, end).places();
}

ChunkPlaces chunkPlacesNow(const std::filesystem::path& events) {
    constexpr int kMostTries = 20;
    ChunkScan scan(events, std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < kMostTries; ++i)
        if (!scan.catchUp()) return scan.places();
    scan.stayBehind();
    return scan.places();
}

}  // namespace holos::archive
