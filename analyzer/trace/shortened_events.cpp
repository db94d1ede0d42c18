// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/shortened_events.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <string_view>

#include "algebra/files/file_reader.h"
#include "analyzer/trace/record_type.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

constexpr std::uint8_t kOwnOrder = std::endian::native == std::endian::little ? kLittleEndian : kBigEndian;
constexpr std::size_t kHeaderBytes = 18;  ///< kind, order of bytes, first and last event
constexpr std::size_t kTimeStampBytes = 9;
constexpr std::uint8_t kLastShortEvent = 30;  ///< up to this kind `kLongRecord` may be a value

std::uint8_t typeOf(std::string_view record) {
    return static_cast<std::uint8_t>(record.front());
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
        std::memcpy(&size, bytes.data() + head, sizeof size);
        head += sizeof size;
    }
    return bytes.size() > head && size < bytes.size() - head ? head + size : 0;
}

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
    void tellLast() { std::memcpy(chunk_.data() + kHeaderBytes - sizeof events_, &events_, sizeof events_); }
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
    Shortening(const std::vector<QuietCalls>& calls, const std::filesystem::path& file,
               std::uint64_t chunkSize, const std::filesystem::path& copy)
        : calls_(calls),
          file_(file),
          chunkSize_(chunkSize == 0 ? file_.size() : chunkSize),
          writer_(copy, chunkSize_) {}

    bool run() {
        std::vector<char> chunk(std::min(chunkSize_, file_.size()));
        std::uint8_t mark = kFilling;
        for (std::uint64_t at = 0; mark == kFilling && at < file_.size(); at += chunkSize_) {
            const std::uint64_t size = std::min(chunkSize_, file_.size() - at);
            file_.read(at, size, chunk.data());
            mark = copyChunk({chunk.data(), size});
        }
        return mark == kEndOfFile && next_ == calls_.size() && writer_.finish();
    }

  private:
    /// What it ends with: filling, the end of the file, or a record that cannot be read.
    std::uint8_t copyChunk(std::string_view bytes) {
        if (bytes.size() < kHeaderBytes || typeOf(bytes) != kChunkHeader ||
            typeOf(bytes.substr(1)) != kOwnOrder)
            return kChunkHeader;
        std::string_view rest = bytes.substr(kHeaderBytes);
        const char* event = rest.data();  // with what belongs to it
        while (const std::size_t size = sizeOfRecord(rest)) {
            const std::uint8_t type = typeOf(rest);
            if (type == kTimeStamp) std::memcpy(&time_, rest.data() + 1, sizeof time_);
            rest.remove_prefix(size);
            if (type < kFirstEvent) continue;
            take({event, static_cast<std::size_t>(rest.data() - event)});
            event = rest.data();
        }
        if (rest.size() == 2 && typeOf(rest) == kEndOfRecords) return typeOf(rest.substr(1));
        return rest.empty() ? std::uint8_t{kChunkHeader} : typeOf(rest);
    }

    void take(std::string_view event) {
        const bool isLeftOut = next_ < calls_.size() && events_ >= calls_[next_].first;
        if (!isLeftOut) writer_.add(event, time_);
        ++events_;
        if (!isLeftOut || events_ != calls_[next_].end) return;
        ++next_;
        writer_.breakOff();
    }

    const std::vector<QuietCalls>& calls_;
    algebra::FileReader file_;
    std::uint64_t chunkSize_;
    ChunkWriter writer_;
    std::size_t next_ = 0;      ///< of the calls that are left out
    std::uint64_t events_ = 0;  ///< so far
    std::uint64_t time_ = 0;
};

}  // namespace

bool copyWithout(const std::vector<QuietCalls>& calls, const std::filesystem::path& file,
                 std::uint64_t chunkSize, const std::filesystem::path& copy) {
    try {
        return Shortening(calls, file, chunkSize, copy).run();
    } catch (const Error&) {
        return false;
    }
}

}  // namespace holos::analyzer::trace
