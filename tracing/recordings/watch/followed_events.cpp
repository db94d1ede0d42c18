// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/followed_events.h"

#include <unistd.h>

#include <algorithm>

#include "base/input_file.h"

namespace holos::watch {

using tracing::RecordKind;

namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
/// Read at once at first; more where that was full of records.
constexpr std::size_t kFirstWords = 512;
constexpr std::size_t kMostWords = tracing::kChunkBytes / kWord;

/// Fewer at the end of the file.
std::size_t readWords(int file, std::uint64_t offset, std::uint64_t* words, std::size_t count) {
    const ssize_t bytes = ::pread(file, words, count * kWord, static_cast<off_t>(offset));
    return bytes > 0 ? static_cast<std::size_t>(bytes) / kWord : 0;
}

std::uint64_t wordAt(int file, std::uint64_t offset) {
    std::uint64_t word = 0;
    return readWords(file, offset, &word, 1) == 1 ? word : 0;
}

}  // namespace

void FollowedEvents::read(std::uint64_t end, std::uint64_t near, Reader& reader) {
    const Descriptor file = openRegular(path_);
    if (!file) return;
    addChunks(file, end);
    for (auto& [number, location] : locations_) {
        if (!location.hasBegun) location.ticks = near;
        readLocation(file.number(), number, location, reader);
    }
    // Thousands of processes would each keep a chunk's.
    buffer_.clear();
    buffer_.shrink_to_fit();
}

/// A chunk that a thread has just taken is found the next time at the latest.
void FollowedEvents::addChunks(const Descriptor& file, std::uint64_t end) {
    constexpr int kMostTries = 20;
    const std::size_t before = scan_.found().size();
    scan_.goOn(file, end);
    bool isNew = scan_.found().size() != before;
    for (int i = 0; i < kMostTries && scan_.catchUp(file); ++i) isNew = true;
    if (!isNew) return;
    for (const auto& [number, place] : scan_.found()) {
        if (!known_.insert(place.offset).second) continue;
        if ((number & tracing::kTableBit) == 0) {
            locations_[number].chunks.push_back({place});
            continue;
        }
        tables_[number & ~tracing::kTableBit].push_back(place);
        bytes_ += place.bytes;
    }
}

/// A chunk is complete where the next one had begun before it was read.
void FollowedEvents::readLocation(int file, std::uint32_t number, Location& location, Reader& reader) {
    if (location.chunks.empty()) return;
    if (overwrites_ && !location.hasBegun && !findOldest(file, number, location, reader)) return;
    while (reader.goesOn()) {
        const auto next = nextBegun(file, location);
        if (!readChunk(file, number, location, next.has_value(), reader)) {
            if (!findOldest(file, number, location, reader)) return;
            reader.missed(number);
        } else if (next) {
            location.chunk = next->chunk;
            location.chunks[next->chunk].first = next->first;
            location.words = 1;
        } else {
            return;
        }
    }
}

/// Where records go on behind the chunk that is read.
std::optional<FollowedEvents::Next> FollowedEvents::nextBegun(int file, const Location& location) const {
    const std::size_t next = (location.chunk + 1) % location.chunks.size();
    if (next == location.chunk || (next < location.chunk && !overwrites_)) return std::nullopt;
    const Chunk& chunk = location.chunks[next];
    const std::uint64_t first = wordAt(file, chunk.place.offset + kWord);
    const auto later = static_cast<std::int64_t>(tracing::ticksOf(first, location.ticks) - location.ticks);
    const bool isOld = next < location.chunk && (first == chunk.first || later < 0);
    return first != 0 && !isOld ? std::optional(Next{next, first}) : std::nullopt;
}

/// The oldest chunk whose records are later than what was read.
bool FollowedEvents::findOldest(int file, std::uint32_t number, Location& location, Reader& reader) {
    std::optional<std::size_t> oldest;
    std::uint64_t oldestTicks = 0;
    for (std::size_t i = 0; i < location.chunks.size(); ++i) {
        Chunk& chunk = location.chunks[i];
        chunk.first = wordAt(file, chunk.place.offset + kWord);
        if (chunk.first == 0) continue;
        const std::uint64_t ticks = tracing::ticksOf(chunk.first, location.ticks);
        const bool isLater = static_cast<std::int64_t>(ticks - location.ticks) >= 0;
        if ((location.hasBegun && !isLater) || (oldest && ticks >= oldestTicks)) continue;
        oldest = i;
        oldestTicks = ticks;
    }
    if (!oldest) return false;
    const bool isCut =
        !location.hasBegun &&
        (*oldest != 0 || tracing::kindOf(location.chunks[*oldest].first) == RecordKind::Overwritten);
    if (isCut) reader.missed(number);
    location.chunk = *oldest;
    location.words = 1;
    location.hasBegun = true;
    return true;
}

/// What is new of the chunk. False where it was written over.
bool FollowedEvents::readChunk(int file, std::uint32_t number, Location& location, bool isComplete,
                               Reader& reader) {
    const Chunk& chunk = location.chunks[location.chunk];
    const std::size_t all = chunk.place.bytes / kWord;
    for (std::size_t wanted = kFirstWords; location.words < all; wanted = kMostWords) {
        const std::size_t rest = all - location.words;
        buffer_.resize(std::min(wanted, rest));
        const std::size_t got =
            readWords(file, chunk.place.offset + location.words * kWord, buffer_.data(), buffer_.size());
        const bool isFilesEnd = got < buffer_.size();
        buffer_.resize(got);
        if (overwrites_ && wordAt(file, chunk.place.offset + kWord) != chunk.first) return false;
        const Taken taken = takeRecords(number, location, isComplete, reader);
        location.words += taken.words;
        bytes_ += taken.words * kWord;
        if (taken.isUnfinished) return true;
        const bool isWhole = taken.words == got;
        if (taken.isBad || (taken.words == 0 && got == rest && !isWhole && buffer_[0] != 0)) {
            isDamaged_ = true;
            location.words = all;
        } else if ((isWhole && isFilesEnd) || (!isWhole && (buffer_[taken.words] == 0 || isFilesEnd))) {
            return true;
        }
    }
    return true;
}

/// `behind`: where the record ends. Only locks have two records of polls directly behind each other.
std::optional<Unfinished> FollowedEvents::unfinishedAt(std::size_t behind,
                                                       const archive::Record& record) const {
    const auto isEnd = [this](std::size_t at) { return at >= buffer_.size() || buffer_[at] == 0; };
    if (!tracing::mayChange(record.kind)) return std::nullopt;
    if (isEnd(behind)) return Unfinished{record, std::nullopt};
    const bool areTwo =
        record.kind == RecordKind::Polls && tracing::kindOf(buffer_[behind]) == RecordKind::Polls;
    if (!areTwo || !isEnd(behind + tracing::kPollsWords)) return std::nullopt;
    if (behind + tracing::kPollsWords > buffer_.size()) return Unfinished{record, std::nullopt};
    const archive::Record second{RecordKind::Polls, tracing::ticksOf(buffer_[behind], record.ticks),
                                 buffer_.data() + behind + 1, tracing::kPollsWords - 1};
    return Unfinished{record, second};
}

/// Takes the buffer's records that are complete there.
FollowedEvents::Taken FollowedEvents::takeRecords(std::uint32_t number, Location& location, bool isComplete,
                                                  Reader& reader) const {
    const std::size_t counters = reader.countersOf(number);
    std::size_t at = 0;
    while (at < buffer_.size() && buffer_[at] != 0) {
        const std::uint64_t header = buffer_[at];
        const RecordKind kind = tracing::kindOf(header);
        if (kind == RecordKind::End) return {at, true};
        const bool isSample = kind == RecordKind::Sample;
        if (isSample && at + 1 >= buffer_.size()) break;
        const std::size_t words = isSample ? tracing::sampleWords(tracing::lowHalf(buffer_[at + 1]))
                                           : tracing::recordWords(kind, counters);
        if (words > buffer_.size() - at) break;
        const archive::Record record{kind, tracing::ticksOf(header, location.ticks), buffer_.data() + at + 1,
                                     words - 1};
        if (const auto unfinished = isComplete ? std::nullopt : unfinishedAt(at + words, record)) {
            reader.takeUnfinished(number, *unfinished);
            return {at, false, true};
        }
        location.ticks = record.ticks;
        location.hasBegun = true;
        if (kind != RecordKind::Overwritten) reader.take(number, record);
        at += words;
    }
    return {at};
}

}  // namespace holos::watch
