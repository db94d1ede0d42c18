// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/shortened_events.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "analyzer/trace/event_walk.h"
#include "analyzer/trace/record_type.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

/// Puts events into chunks.
class ChunkWriter {
  public:
    ChunkWriter(const std::filesystem::path& file, std::uint64_t chunkSize)
        : out_(file, std::ios::binary), chunkSize_(chunkSize) {
        beginChunk();
    }

    /// The next one is not the one behind the last one: its time has to be told.
    void breakOff() { isTimeKnown_ = false; }
    /// An event with its attributes and, where it differs from the one before, its time, which is this one.
    void add(std::string_view event, std::uint64_t time) {
        constexpr std::size_t kEnd = 2;
        if (chunk_.size() + kTimeStampBytes + event.size() + kEnd > chunkSize_) endChunk();
        if (!isTimeKnown_ && static_cast<std::uint8_t>(event.front()) != kTimeStamp) {
            chunk_ += static_cast<char>(kTimeStamp);
            put(time);
        }
        chunk_ += event;
        isTimeKnown_ = true;
        ++events_;
    }
    /// Whether all could be written.
    bool finish() {
        tellLast();
        chunk_ += {static_cast<char>(kEndOfRecords), static_cast<char>(kEndOfFile)};
        out_ << chunk_;
        return chunk_.size() <= chunkSize_ && out_.flush().good();
    }

  private:
    void put(std::uint64_t number) { chunk_.append(reinterpret_cast<const char*>(&number), sizeof number); }
    void beginChunk() {
        chunk_ = {static_cast<char>(kChunkHeader), static_cast<char>(kOwnOrder)};
        put(events_ + 1);
        put(0);
        breakOff();
    }
    void tellLast() {
        std::memcpy(chunk_.data() + kChunkHeaderBytes - sizeof events_, &events_, sizeof events_);
    }
    void endChunk() {
        tellLast();
        chunk_.resize(chunkSize_, static_cast<char>(kFilling));
        out_ << chunk_;
        beginChunk();
    }

    std::ofstream out_;
    std::uint64_t chunkSize_;
    std::string chunk_;
    std::uint64_t events_ = 0;
    bool isTimeKnown_ = false;
};

class Shortening {
  public:
    Shortening(const std::filesystem::path& file, std::uint64_t chunkSize, const std::filesystem::path& copy)
        : walk_(file, chunkSize), writer_(copy, chunkSize == 0 ? walk_.fileSize() : chunkSize) {}

    bool run(const std::vector<QuietCalls>& without) {
        EventPlace from;
        for (const QuietCalls& calls : without) {
            if (!calls.place || !copyUpTo(calls.first, from, calls.place->begin)) return false;
            from = {calls.place->end, calls.end, calls.place->time};
            writer_.breakOff();
        }
        walk_.goTo(from, walk_.fileSize());
        copyAll();
        return walk_.isAtEndOfFile() && writer_.finish();
    }

  private:
    /// Whether this event begins at this byte.
    bool copyUpTo(std::uint64_t event, const EventPlace& from, std::uint64_t end) {
        walk_.goTo(from, end);
        copyAll();
        return walk_.place().events == event && walk_.place().byte == end;
    }

    void copyAll() {
        for (std::string_view event = walk_.next(); !event.empty(); event = walk_.next())
            writer_.add(event, walk_.place().time);
    }

    EventWalk walk_;
    ChunkWriter writer_;
};

/// Null where they are not found.
std::optional<QuietCalls::Place> placeOf(const QuietCalls& calls, EventWalk& walk) {
    const auto goUpTo = [&walk](std::uint64_t events) {
        while (walk.place().events < events && !walk.next().empty()) {
        }
        return walk.place().events == events;
    };
    if (!goUpTo(calls.first)) return std::nullopt;
    const std::uint64_t begin = walk.place().byte;
    if (!goUpTo(calls.end)) return std::nullopt;
    return QuietCalls::Place{begin, walk.place().byte, walk.place().time};
}

}  // namespace

void tellPlaces(std::vector<QuietCalls>& calls, const std::filesystem::path& file, std::uint64_t chunkSize) {
    try {
        EventWalk walk(file, chunkSize);
        walk.goTo({}, walk.fileSize());
        for (QuietCalls& each : calls) each.place = placeOf(each, walk);
    } catch (const Error&) {  // then the others have none
    }
}

bool copyWithout(const std::vector<QuietCalls>& calls, const std::filesystem::path& file,
                 std::uint64_t chunkSize, const std::filesystem::path& copy) {
    try {
        return Shortening(file, chunkSize, copy).run(calls);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace holos::analyzer::trace
