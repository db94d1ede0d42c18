// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/file_end.h"

#include <algorithm>
#include <array>

#include "algebra/files/file_reader.h"
#include "metric-specs/error.h"

namespace holos::analyzer::trace {

namespace {

/// What the first byte of a record says, in every version of OTF2 so far. All but time stamps say their
/// length in the next byte.
enum RecordType : std::uint8_t {
    kUnknown = 0,
    kEndOfFile = 1,
    kEndOfChunk = 2,
    kChunkHeader = 3,
    kTimeStamp = 5,  ///< among events only
    kAttributes = 6  ///< among events only: they belong to the event behind them
};
constexpr std::uint8_t kFirstEvent = 10;
constexpr std::uint8_t kFirstDefinition = 5;

constexpr std::uint8_t kLittleEndian = 'B';
constexpr std::uint8_t kBigEndian = 'L';
constexpr std::uint8_t kLongRecord = 0xFF;  ///< its length stands in the eight bytes behind

/// The bytes of a file one after the other. `ended` tells that more were asked for than there are.
class Bytes {
  public:
    Bytes(const std::filesystem::path& file, std::uint64_t chunkSize) : file_(file) {
        if (chunkSize != 0 && file_.size() != 0) at_ = (file_.size() - 1) / chunkSize * chunkSize;
    }

    bool ended() const { return ended_; }

    std::uint8_t next() {
        if (at_ >= file_.size()) ended_ = true;
        if (ended_) return 0;
        if (at_ < begin_ || at_ - begin_ >= count_) load();
        return static_cast<std::uint8_t>(portion_[at_++ - begin_]);
    }

    void skip(std::uint64_t count) {
        ended_ = ended_ || count > file_.size() - at_;
        if (!ended_) at_ += count;
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
        begin_ = at_;
        count_ = std::min<std::uint64_t>(portion_.size(), file_.size() - at_);
        file_.read(begin_, count_, portion_.data());
    }

    algebra::FileReader file_;
    std::uint64_t at_ = 0;
    std::uint64_t begin_ = 0;  ///< of the portion, in the file
    std::uint64_t count_ = 0;
    std::array<char, std::size_t{64} << 10> portion_;
    bool ended_ = false;
};

/// Follows the records of one chunk.
class Scan {
  public:
    Scan(const std::filesystem::path& file, std::uint64_t chunkSize, bool areEvents)
        : bytes_(file, chunkSize), areEvents_(areEvents) {}

    std::optional<FileEnd> run() {
        std::uint8_t type = kUnknown;
        if (readHeader()) type = bytes_.next();
        while (isKnown(type)) {
            skipRest(type);
            if (!bytes_.ended() && counts(type)) ++records_;
            type = bytes_.next();
        }
        if (type != kEndOfChunk && !bytes_.ended()) return std::nullopt;
        return FileEnd{.records = records_, .isCut = bytes_.next() != kEndOfFile};
    }

  private:
    /// A chunk begins with its kind, the order of bytes, and the numbers of its first and last event.
    bool readHeader() {
        const std::uint8_t type = bytes_.next();
        order_ = bytes_.next();
        const std::uint64_t first = bytes_.number(order_);
        bytes_.number(order_);
        if (areEvents_ && first != 0) records_ = first - 1;
        return type == kChunkHeader && (order_ == kLittleEndian || order_ == kBigEndian);
    }

    bool counts(std::uint8_t type) const { return type >= (areEvents_ ? kFirstEvent : kFirstDefinition); }
    bool isKnown(std::uint8_t type) const {
        return counts(type) || type == kTimeStamp || type == kAttributes;
    }

    void skipRest(std::uint8_t type) {
        if (areEvents_ && type == kTimeStamp) return bytes_.skip(sizeof(std::uint64_t));
        const std::uint8_t length = bytes_.next();
        bytes_.skip(length == kLongRecord ? bytes_.number(order_) : length);
    }

    Bytes bytes_;
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

std::optional<FileEnd> endOfEvents(const std::filesystem::path& file, std::uint64_t chunkSize) {
    return endOf(file, chunkSize, true);
}

std::optional<FileEnd> endOfDefinitions(const std::filesystem::path& file) {
    return endOf(file, 0, false);
}

}  // namespace holos::analyzer::trace
