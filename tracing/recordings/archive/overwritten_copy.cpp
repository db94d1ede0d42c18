// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/committed_events.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "base/input_file.h"
#include "tracing/recordings/archive/chunk_places.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

using tracing::RecordKind;
using OwnedWords = std::vector<std::uint64_t>;

/// The header of its first record tells what a chunk has now from what it had before.
struct Chunk {
    ChunkPlace place;
    std::uint64_t first;
    std::uint64_t ticks;
};

class Copying {
  public:
    Copying(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t near)
        : from_(openRegular(from)), to_(to, std::ios::binary), near_(near) {}

    /// The oldest first. Where one was written over before it was read, all that are older were, too.
    void copy(std::uint32_t location, const std::vector<ChunkPlace>& places) {
        const std::vector<Chunk> chunks = oldestFirst(places);
        if (chunks.empty()) return;
        bool hadOlder = chunks.front().place.offset != places.front().offset ||
                        tracing::kindOf(chunks.front().first) == RecordKind::Overwritten;
        std::vector<OwnedWords> whole;
        for (const Chunk& chunk : chunks) {
            OwnedWords words = wordsAt(chunk.place.offset, chunk.place.bytes / sizeof(std::uint64_t));
            if (wordsAt(chunk.place.offset + sizeof(std::uint64_t), 1) == OwnedWords{chunk.first}) {
                whole.push_back(std::move(words));
            } else {
                whole.clear();
                hadOlder = true;
            }
        }
        if (whole.empty()) return;
        if (hadOlder) write(saysOlder(location, whole.front()));
        for (const OwnedWords& words : whole) write(words);
    }
    bool isWritten() { return static_cast<bool>(to_.flush()); }

  private:
    std::vector<Chunk> oldestFirst(const std::vector<ChunkPlace>& places) {
        std::vector<Chunk> chunks;
        for (const ChunkPlace& place : places)
            if (const OwnedWords first = wordsAt(place.offset + sizeof(std::uint64_t), 1);
                !first.empty() && first[0] != 0)
                chunks.push_back({place, first[0], tracing::ticksOf(first[0], near_)});
        std::ranges::stable_sort(chunks, {}, &Chunk::ticks);
        return chunks;
    }
    /// Fewer at the end of the file.
    OwnedWords wordsAt(std::uint64_t offset, std::size_t number) {
        OwnedWords words(number);
        words.resize(readAt(from_, words.data(), number * sizeof(std::uint64_t), offset) /
                     sizeof(std::uint64_t));
        return words;
    }
    static OwnedWords saysOlder(std::uint32_t location, const OwnedWords& next) {
        OwnedWords words(tracing::kUnitBytes / sizeof(std::uint64_t));
        words[0] = tracing::chunkHead(location, tracing::kUnitBytes);
        words[1] = tracing::header(RecordKind::Overwritten, (next[1] >> 8) - 1);
        return words;
    }
    /// As long as its head says.
    void write(OwnedWords words) {
        words.resize(tracing::highHalf(words[0]) * tracing::kUnitBytes / sizeof(std::uint64_t));
        to_.write(reinterpret_cast<const char*>(words.data()),
                  static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    }

    Descriptor from_;
    std::ofstream to_;
    std::uint64_t near_;
};

}  // namespace

void copyOverwritten(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t near) {
    Copying copying(from, to, near);
    for (const auto& [location, places] : chunkPlacesNow(from)) copying.copy(location, places);
    if (!copying.isWritten())
        throw Error("cannot be written: " + std::string(std::strerror(errno)), {.file = to.string()});
}

}  // namespace holos::archive
