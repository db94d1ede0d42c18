// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/quiet_calls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/trace/event_layouts.h"
#include "base/error.h"

namespace holos::analyzer::trace {

/// A place between two events of a file.
struct EventPlace {
    std::uint64_t byte = 0;
    std::uint64_t events = 0;  ///< before it
    std::uint64_t time = 0;    ///< the last time stamp before it, as the file has it
};

/// Goes along a file of events by the lengths of their records, without decoding them. Throws `holos::Error`
/// where the file cannot be read.
class EventWalk {
  public:
    /// `chunkSize` as in `file_end.h`.
    EventWalk(const std::filesystem::path& file, std::uint64_t chunkSize);

    std::uint64_t fileSize() const { return file_.size(); }

    /// Goes on at this place, up to a byte behind it.
    void goTo(const EventPlace& place, std::uint64_t end);

    /// The next event, with the time stamp and the attributes that belong to it; empty at the end, and where
    /// there is nothing that can be read: in files that are compressed, damaged, cut or of another byte
    /// order, or at a place where no event begins. Valid until the next call.
    std::string_view next();

    /// Behind the last event.
    const EventPlace& place() const { return place_; }
    /// Whether all events up to the mark at the end of the file were there.
    bool isAtEndOfFile() const;

  private:
    bool load();
    bool readHead(std::uint64_t chunk);
    std::uint8_t mark() const;

    algebra::FileReader file_;
    std::uint64_t chunkSize_;
    EventPlace place_;
    std::uint64_t end_ = 0;
    std::optional<std::uint64_t> chunk_;  ///< whose head was read: the byte at which it begins
    std::uint64_t first_ = 0;             ///< event of the chunk, from 1
    std::uint64_t last_ = 0;              ///< event of the chunk
    std::vector<char> part_;              ///< of a chunk
    std::string_view rest_;               ///< of the part
};

namespace {

constexpr std::size_t kEndMarkBytes = 2;
constexpr std::uint8_t kLastShortEvent = 30;  ///< up to this kind `kLongRecord` may be a value

std::uint8_t typeOf(std::string_view record) {
    return static_cast<std::uint8_t>(record.front());
}

std::uint64_t numberAt(const char* bytes) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

/// Of the first record; 0 where it is none that can stand before an event, or nothing comes behind it.
std::size_t sizeOfRecord(std::string_view bytes) {
    if (bytes.size() <= kTimeStampBytes && (bytes.size() < 2 || typeOf(bytes) == kTimeStamp)) return 0;
    const std::uint8_t type = typeOf(bytes);
    if (type == kTimeStamp) return kTimeStampBytes;
    if (type < kFirstEvent && type != kAttributes) return 0;
    std::uint64_t size = typeOf(bytes.substr(1));
    std::size_t head = 2;
    if (size == kLongRecord) {
        if ((type >= kFirstEvent && type <= kLastShortEvent) || bytes.size() < head + sizeof size) return 0;
        size = numberAt(bytes.data() + head);
        head += sizeof size;
    }
    return bytes.size() > head && size < bytes.size() - head ? head + size : 0;
}

}  // namespace

EventWalk::EventWalk(const std::filesystem::path& file, std::uint64_t chunkSize)
    : file_(file), chunkSize_(chunkSize == 0 ? std::max<std::uint64_t>(file_.size(), 1) : chunkSize) {}

void EventWalk::goTo(const EventPlace& place, std::uint64_t end) {
    place_ = place;
    end_ = std::min(end, file_.size());
    rest_ = {};
    load();
}

std::string_view EventWalk::next() {
    do {
        const char* const event = rest_.data();
        while (const std::size_t size = place_.byte < end_ ? sizeOfRecord(rest_) : 0) {
            const std::uint8_t type = typeOf(rest_);
            if (type == kTimeStamp) place_.time = numberAt(rest_.data() + 1);
            rest_.remove_prefix(size);
            place_.byte += size;
            if (type < kFirstEvent) continue;
            ++place_.events;
            return {event, static_cast<std::size_t>(rest_.data() - event)};
        }
        if (place_.byte >= end_ || mark() != kFilling) return {};
        place_.byte += chunkSize_ - place_.byte % chunkSize_;
    } while (load());
    return {};
}

bool EventWalk::isAtEndOfFile() const {
    return mark() == kEndOfFile && place_.events == last_;
}

/// False where it is no chunk, or one of another byte order.
bool EventWalk::readHead(std::uint64_t chunk) {
    chunk_.reset();
    std::array<char, kChunkHeaderBytes> head;
    file_.read(chunk, head.size(), head.data());
    if (head[0] != kChunkHeader || head[1] != kOwnOrder) return false;
    first_ = numberAt(head.data() + 2);
    last_ = numberAt(head.data() + 2 + sizeof first_);
    chunk_ = chunk;
    return true;
}

/// What is wanted of the chunk at this place. False where there is none, or it has other events.
bool EventWalk::load() {
    const std::uint64_t begin = place_.byte - place_.byte % chunkSize_;
    place_.byte = std::max<std::uint64_t>(place_.byte, begin + kChunkHeaderBytes);
    const std::uint64_t end = begin + std::min(chunkSize_, file_.size() - std::min(begin, file_.size()));
    if (place_.byte >= std::min(end, end_)) return false;
    if (chunk_ != begin && !readHead(begin)) return false;
    if (first_ - 1 > place_.events || place_.events > last_) return false;
    part_.resize(std::min(end, end_ + kEndMarkBytes) - place_.byte);
    file_.read(place_.byte, part_.size(), part_.data());
    rest_ = {part_.data(), part_.size()};
    return true;
}

/// What comes instead of an event: filling, the end of the file, or something that cannot be read.
std::uint8_t EventWalk::mark() const {
    if (rest_.size() == kEndMarkBytes && typeOf(rest_) == kEndOfRecords) return typeOf(rest_.substr(1));
    return !rest_.empty() && typeOf(rest_) == kFilling ? kFilling : kChunkHeader;
}

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
        out_.close();
        return chunk_.size() <= chunkSize_ && out_.good();
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

void findPlaces(std::vector<QuietCalls>& calls, const std::filesystem::path& file, std::uint64_t chunkSize) {
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
