// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "tracing/recordings/archive/process/event_file.h"

namespace holos::watch {

/// A record that still changes, and the second one where two records do.
struct Unfinished {
    archive::Record first;
    std::optional<archive::Record> second;
};

/// The file of events of a process that goes on: each time what is complete and was not read before. Reads
/// no word behind the last complete record but to see that it is the last.
class FollowedEvents {
  public:
    /// Who takes what is read.
    class Reader {
      public:
        virtual ~Reader() = default;
        /// Of values in one record of counters of a location.
        virtual std::size_t countersOf(std::uint32_t location) = 0;
        virtual void take(std::uint32_t location, const archive::Record& record) = 0;
        /// What still changes: polls, locks that are two such records, or sections. It is read again the next
        /// time.
        virtual void takeUnfinished(std::uint32_t location, const Unfinished& records) = 0;
        /// Records of a location were written over before they were read.
        virtual void missed(std::uint32_t location) = 0;
        /// Asked between chunks; false: the rest is read the next time.
        virtual bool goesOn() = 0;
    };

    /// `overwrites`: the oldest chunks of a location are used again.
    FollowedEvents(std::filesystem::path path, bool overwrites)
        : path_(std::move(path)), overwrites_(overwrites) {}

    /// `end`: no chunk begins there or behind it; `near`: ticks from about the time of the first event.
    /// Nothing is read where the file cannot be opened. Opens it each time, as network file systems then show
    /// what is new.
    void read(std::uint64_t end, std::uint64_t near, Reader& reader);

    /// Of the records that were read, and of the chunks of what is added up.
    std::uint64_t bytes() const { return bytes_; }
    /// Where the latter is, by location.
    const std::map<std::uint32_t, std::vector<archive::ChunkPlace>>& tables() const { return tables_; }
    /// Something that no record begins with was met; the rest of that chunk is left out.
    bool isDamaged() const { return isDamaged_; }

  private:
    struct Chunk {
        archive::ChunkPlace place;
        std::uint64_t first = 0;  ///< header of its first record when it was last looked at
    };
    struct Location {
        std::vector<Chunk> chunks;
        std::size_t chunk = 0;    ///< that is read
        std::size_t words = 1;    ///< of it, that were read
        std::uint64_t ticks = 0;  ///< of the last record
        bool hasBegun = false;
    };
    struct Next {
        std::size_t chunk;
        std::uint64_t first;
    };

    void addChunks(const Descriptor& file, std::uint64_t end);
    void readLocation(int file, std::uint32_t number, Location& location, Reader& reader);
    /// `isComplete`: nothing of the chunk changes any more.
    bool readChunk(int file, std::uint32_t number, Location& location, bool isComplete, Reader& reader);
    struct Taken {
        std::size_t words;
        bool isBad = false;         ///< no record begins behind them
        bool isUnfinished = false;  ///< the next one still changes
    };
    std::optional<Unfinished> unfinishedAt(std::size_t at, const archive::Record& record) const;
    Taken takeRecords(std::uint32_t number, Location& location, bool isComplete, Reader& reader) const;
    std::optional<Next> nextBegun(int file, const Location& location) const;
    bool findOldest(int file, std::uint32_t number, Location& location, Reader& reader);

    std::filesystem::path path_;
    bool overwrites_;
    archive::ChunkScan scan_;
    std::unordered_set<std::uint64_t> known_;  ///< places of chunks
    std::map<std::uint32_t, Location> locations_;
    std::map<std::uint32_t, std::vector<archive::ChunkPlace>> tables_;
    std::vector<std::uint64_t> buffer_;
    std::uint64_t bytes_ = 0;
    bool isDamaged_ = false;
};

}  // namespace holos::watch
