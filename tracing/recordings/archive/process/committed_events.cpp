// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/committed_events.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/input_file.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

std::size_t countersIn(const RecordedProcess& process, std::uint32_t location) {
    const auto known = process.locations.find(location);
    const bool isSamples =
        known != process.locations.end() && known->second.kind == tracing::LocationKind::Samples;
    return isSamples ? process.sampled.size() : process.counters.size();
}

/// Of one location. Chunks follow each other in time: the records of all but the last one that has any are
/// complete.
class Location {
  public:
    Location(const RecordedProcess& process, std::uint32_t number, std::uint64_t until)
        : process_(process), counters_(countersIn(process, number)), until_(until) {}

    std::optional<std::uint64_t> settle(std::vector<ChunkPlace>& chunks) const {
        std::optional<std::uint64_t> newest;
        while (!chunks.empty() && !newest) {
            newest = settle(chunks.back());
            if (!newest) chunks.pop_back();
        }
        return newest;
    }

  private:
    /// The ticks of the newest record; nothing when there is none.
    std::optional<std::uint64_t> settle(ChunkPlace& chunk) const {
        EventFile file(process_.eventFile(), {chunk}, counters_, process_.syncs.front().ticks);
        std::optional<std::uint64_t> newest;
        std::size_t room = 0;
        for (auto record = file.next(); record && record->ticks <= until_; record = file.next()) {
            newest = record->ticks;
            room = file.room();
        }
        chunk.settled = chunk.bytes - room * sizeof(std::uint64_t);
        return newest;
    }

    const RecordedProcess& process_;
    std::size_t counters_;
    std::uint64_t until_;
};

}  // namespace

CommittedEvents committedEvents(const RecordedProcess& process, std::uint64_t until) {
    CommittedEvents committed;
    if (process.syncs.empty()) return committed;
    for (auto& [number, chunks] : chunkPlacesNow(process.eventFile())) {
        if ((number & tracing::kTableBit) != 0) continue;  // what is added up is read when it is complete
        const auto newest = Location(process, number, until).settle(chunks);
        committed.newest = std::max(committed.newest, newest);
        if (newest) committed.chunks.emplace(number, std::move(chunks));
    }
    return committed;
}

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
    bool isWritten() {
        to_.close();
        return static_cast<bool>(to_);
    }

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
