// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"

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

}  // namespace holos::analyzer::trace
