// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/file_end.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "algebra/files/file_reader.h"
#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/event_layouts.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

/// The bytes of a file one after the other. `ended` tells that more were asked for than there are.
class Bytes {
  public:
    explicit Bytes(const std::filesystem::path& file) : file_(file) {}

    bool ended() const { return ended_; }
    std::uint64_t at() const { return begin_ + next_; }
    std::uint64_t size() const { return file_.size(); }

    std::uint8_t next() {
        if (next_ == count_) load();
        ended_ = next_ == count_;
        return ended_ ? 0 : static_cast<std::uint8_t>(portion_[next_++]);
    }

    void skip(std::uint64_t count) {
        if (count <= count_ - next_)
            next_ += count;
        else
            moveBy(count);
    }

    /// The next bytes, as far as they are in memory already.
    std::span<const std::uint8_t> ready() const {
        return {reinterpret_cast<const std::uint8_t*>(portion_.data()) + next_,
                static_cast<std::size_t>(count_ - next_)};
    }

    std::uint64_t number(std::uint8_t order) {
        std::uint64_t value = 0;
        for (unsigned byte = 0; byte < sizeof value; ++byte) {
            const unsigned place = order == kLittleEndian ? byte : 7 - byte;
            value |= std::uint64_t{next()} << (8 * place);
        }
        return value;
    }

  private:
    void load() {
        moveBy(0);
        count_ = std::min<std::uint64_t>(portion_.size(), file_.size() - begin_);
        if (count_ != 0) file_.read(begin_, count_, portion_.data());
    }

    /// Out of the portion; behind the end there is nothing more.
    void moveBy(std::uint64_t count) {
        ended_ = count > file_.size() - at();
        begin_ = ended_ ? file_.size() : at() + count;
        next_ = count_ = 0;
    }

    algebra::FileReader file_;
    std::uint64_t begin_ = 0;  ///< of the portion, in the file
    std::uint64_t next_ = 0;   ///< in the portion
    std::uint64_t count_ = 0;  ///< bytes of the portion
    std::array<char, std::size_t{64} << 10> portion_;
    bool ended_ = false;
};

/// Follows the records: of events in the last chunk, of definitions in all.
class Scan {
  public:
    Scan(const std::filesystem::path& file, std::uint64_t chunkSize, bool areEvents)
        : bytes_(file), chunkSize_(chunkSize == 0 ? bytes_.size() : chunkSize), areEvents_(areEvents) {
        if (areEvents_ && bytes_.size() != 0) bytes_.skip((bytes_.size() - 1) / chunkSize_ * chunkSize_);
    }

    std::optional<FileEnd> run() {
        std::uint8_t mark = kFilling;
        while (mark == kFilling && !bytes_.ended()) mark = readChunk();
        if (mark != kEndOfRecords && !bytes_.ended()) return std::nullopt;
        return FileEnd{.records = records_, .isCut = bytes_.next() != kEndOfFile};
    }

  private:
    /// Its records, and its rest where it is filled up. What it ended with.
    std::uint8_t readChunk() {
        const std::uint64_t end = bytes_.at() + chunkSize_;
        if (!readHeader() || bytes_.at() > end) return kChunkHeader;
        const std::uint8_t mark = readRecords(end);
        if (mark == kFilling) bytes_.skip(end - bytes_.at());
        return mark;
    }

    /// A chunk begins with its kind, the order of bytes, and the numbers of its first and last event.
    bool readHeader() {
        const std::uint8_t type = bytes_.next();
        order_ = bytes_.next();
        const std::uint64_t first = bytes_.number(order_);
        bytes_.number(order_);
        if (areEvents_ && first != 0) records_ = first - 1;
        return type == kChunkHeader && (order_ == kLittleEndian || order_ == kBigEndian);
    }

    /// The first byte that begins no record; where a record reaches over the chunk's end, its type.
    std::uint8_t readRecords(std::uint64_t chunkEnd) {
        while (bytes_.at() < chunkEnd) {
            passReady(chunkEnd);
            const std::uint8_t type = bytes_.next();
            if (!isKnown(type)) return type;
            skipRest(type);
            if (bytes_.at() > chunkEnd) return type;
            if (!bytes_.ended() && counts(type)) ++records_;
        }
        return kFilling;
    }

    /// Whole records of the usual kinds that are in memory already: nearly all.
    void passReady(std::uint64_t chunkEnd) {
        const std::span<const std::uint8_t> ready = bytes_.ready();
        const std::size_t size = std::min<std::uint64_t>(ready.size(), chunkEnd - bytes_.at());
        std::size_t next = 0;
        while (size - next > kLongestShort) {
            const std::uint8_t type = ready[next];
            if (areEvents_ && type == kTimeStamp) {
                next += 1 + sizeof(std::uint64_t);
                continue;
            }
            const std::uint8_t length = ready[next + 1];
            if (!isKnown(type) || length == kLongRecord) break;
            next += std::size_t{2} + length;
            records_ += counts(type) ? 1 : 0;
        }
        bytes_.skip(next);
    }

    bool counts(std::uint8_t type) const { return type >= (areEvents_ ? kFirstEvent : kFirstDefinition); }
    bool isKnown(std::uint8_t type) const {
        return counts(type) || type == kTimeStamp || type == kAttributes;
    }

    void skipRest(std::uint8_t type) {
        if (areEvents_ && type == kTimeStamp) return bytes_.skip(sizeof(std::uint64_t));
        const std::uint8_t length = bytes_.next();
        const bool isValue = areEvents_ && type >= kFirstEvent && !layoutOf(type).hasLength;
        if (isValue && length == kUndefinedValue) return;
        bytes_.skip(length == kLongRecord ? bytes_.number(order_) : length);
    }

    /// Type, length, and as many bytes.
    static constexpr std::size_t kLongestShort = 2 + 255;
    static_assert(kUndefinedValue == kLongRecord);

    Bytes bytes_;
    std::uint64_t chunkSize_;
    bool areEvents_;
    std::uint8_t order_ = 0;
    std::uint64_t records_ = 0;
};

std::optional<FileEnd> endOf(const std::filesystem::path& file, std::uint64_t chunkSize, bool areEvents) {
    try {
        return Scan(file, chunkSize, areEvents).run();
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

ChunkSizes chunkSizesOf(OTF2_Reader* reader) {
    ChunkSizes sizes;
    if (OTF2_Reader_GetChunkSize(reader, &sizes.events, &sizes.definitions) != OTF2_SUCCESS) return {};
    return sizes;
}

ChunkSizes chunkSizesOf(const std::filesystem::path& anchor) {
    const ErrorCapture capture;
    const std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader(OTF2_Reader_Open(anchor.c_str()),
                                                                            &OTF2_Reader_Close);
    return reader ? chunkSizesOf(reader.get()) : ChunkSizes{};
}

std::optional<FileEnd> endOfEvents(const std::filesystem::path& file, std::uint64_t chunkSize) {
    return endOf(file, chunkSize, true);
}

std::optional<FileEnd> endOfDefinitions(const std::filesystem::path& file, std::uint64_t chunkSize) {
    return endOf(file, chunkSize, false);
}

}  // namespace holos::analyzer::trace
