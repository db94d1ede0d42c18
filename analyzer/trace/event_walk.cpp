// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_walk.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "analyzer/trace/record_type.h"

namespace holos::analyzer::trace {

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

}  // namespace holos::analyzer::trace
