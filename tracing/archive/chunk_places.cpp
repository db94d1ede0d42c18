// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/chunk_places.h"

#include <fstream>

#include "tracing/archive/chunk_scan.h"

namespace holos::archive {
namespace {

class Words {
  public:
    explicit Words(const std::filesystem::path& events) {
        file_.rdbuf()->pubsetbuf(nullptr, 0);  // a word of each chunk is read, not more
        file_.open(events, std::ios::binary);
    }
    std::optional<std::uint64_t> operator()(std::uint64_t at) {
        std::uint64_t word = 0;
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(at));
        if (!file_.read(reinterpret_cast<char*>(&word), sizeof word)) return std::nullopt;
        return word;
    }

  private:
    std::ifstream file_;
};

ChunkPlaces byLocation(const ChunkScan& scan) {
    ChunkPlaces places;
    for (const auto& [location, place] : scan.found()) places[location].push_back(place);
    return places;
}

}  // namespace

ChunkPlaces chunkPlaces(const std::filesystem::path& events, std::uint64_t end) {
    Words words(events);
    ChunkScan scan;
    scan.goOn(std::ref(words), end);
    return byLocation(scan);
}

ChunkPlaces chunkPlacesNow(const std::filesystem::path& events) {
    constexpr int kMostTries = 20;
    Words words(events);
    ChunkScan scan;
    scan.goOn(std::ref(words), std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < kMostTries; ++i)
        if (!scan.catchUp(std::ref(words))) return byLocation(scan);
    scan.stayBehind(std::ref(words));
    return byLocation(scan);
}

}  // namespace holos::archive
