// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {

/// What a chunk has behind its head, as the program noted when it had written it (`core/chunks.h`).
struct ChunkProof {
    std::uint32_t location;  ///< with `kTableBit`, where it is set
    std::size_t bytes;       ///< of the chunk
    std::size_t words;
    std::uint64_t sum;  ///< of the words (`tracing/recordings/format/record.h`)
};
/// By the offset of the chunk.
using ChunkProofs = std::map<std::uint64_t, ChunkProof>;

/// Where a chunk lies in its file.
struct ChunkPlace {
    std::uint64_t offset;
    std::size_t bytes;
    /// How many of the bytes are read, with the head of the chunk: what is behind may still change.
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    std::size_t settled = kAll;
    /// Of it, where that is known.
    std::optional<ChunkProof> proof = {};
};

/// The chunks of each location in a process's file of events, by the location's number. A missing file has
/// none but those that are known from their `proofs`. `end`: no chunk begins there or behind it.
using ChunkPlaces = std::map<std::uint32_t, std::vector<ChunkPlace>>;
ChunkPlaces chunkPlaces(const std::filesystem::path& events,
                        std::uint64_t end = std::numeric_limits<std::uint64_t>::max(),
                        const ChunkProofs& proofs = {});

/// The chunks of a file that a process may be writing to: those that are there at a moment of the call.
ChunkPlaces chunkPlacesNow(const std::filesystem::path& events);

/// Finds the chunks of a file of events, from head to head, and unit by unit where no chunk is. A process may
/// be writing to the file, and more of it may be looked at later.
class ChunkScan {
  public:
    /// `proofs`: chunks that are known to have been written; their places are known whatever the file has
    /// there.
    explicit ChunkScan(ChunkProofs proofs = {}) : proofs_(std::move(proofs)) {}

    /// Looks at what was not looked at before. `end`: no chunk begins there or behind it.
    void goOn(const Descriptor& file, std::uint64_t end);

    /// Looks again where a chunk has begun meanwhile, and behind: words of it may have been taken for heads
    /// before. False when none has.
    bool catchUp(const Descriptor& file);
    /// Leaves out where a chunk has begun meanwhile, and what is behind.
    void stayBehind(const Descriptor& file);

    /// In the order of the file, with their locations.
    const std::vector<std::pair<std::uint32_t, ChunkPlace>>& found() const { return found_; }

  private:
    /// Units that are of no chunk.
    struct Gap {
        std::uint64_t begin;
        std::uint64_t end;
    };
    bool takeChunk(const Descriptor& file);
    void addGap(std::uint64_t end);
    std::optional<std::uint64_t> firstBegun(const Descriptor& file) const;
    void forgetFrom(std::uint64_t at);

    ChunkProofs proofs_;
    std::uint64_t next_ = 0;  ///< what is before it was looked at
    std::vector<std::pair<std::uint32_t, ChunkPlace>> found_;
    std::vector<Gap> gaps_;
};

struct Record {
    tracing::RecordKind kind;
    /// Of polls and sections: by their time before the end of the last, as if they were one call.
    std::uint64_t ticks;
    const std::uint64_t* words;  ///< behind the header; valid until the next call of `next`
    std::size_t size;            ///< number of words
    /// Of those: ticks at which the first was entered, and at which the last was left.
    std::uint64_t began = 0;
    std::uint64_t ended = 0;
    bool isAfterLoss = false;  ///< records before it were written, and are not in the file
};

/// The records of one location, in order; one chunk is in memory at a time. Where the oldest chunks were
/// overwritten, the first one is somewhere in the middle.
class EventFile {
  public:
    /// A missing file has no records. `near`: ticks from about the time of the first event.
    EventFile(const std::filesystem::path& path, std::vector<ChunkPlace> chunks, std::size_t counters,
              std::uint64_t near);

    /// The next record, or nothing at the end. A poll that is still open in a record of polls comes behind
    /// that, as the enter that it is; so does a section with its block.
    std::optional<Record> next();

    /// The ticks of the newest record; nothing where none is found. Afterwards there is no next one.
    std::optional<std::uint64_t> newest();

    /// True when a chunk ended with something that no record begins with; the rest of the chunk is left out.
    bool damaged() const noexcept { return damaged_; }
    /// Bytes of records that were written and are not in the file, as far as it was read.
    std::uint64_t lostBytes() const noexcept { return lostWords_ * sizeof(std::uint64_t); }
    /// True, at the end, when such records would be behind the last one.
    bool endsWithLoss() const noexcept { return isAfterLoss_; }
    /// True when older records were overwritten, as was asked for. Known from the start.
    bool isCut() const noexcept { return isCut_; }
    /// True, at the end, when the last chunk is so full that some record had no place in it.
    bool isFull() const noexcept { return room_ < kLargestRecord + counters_; }
    /// Words of the chunk behind the last record that was read.
    std::size_t room() const noexcept { return room_; }

  private:
    /// Words of the largest one, without the values of counters: a sample of the call stack.
    static constexpr std::size_t kLargestRecord = tracing::sampleWords(tracing::kMostSampledAddresses);
    void findFirst();
    std::uint64_t firstHeader(const ChunkPlace& chunk) const;
    bool readChunk();
    void countMissing();
    void takePolls(const std::uint64_t* record);
    void takeSections(const std::uint64_t* record);
    /// Of the record that begins there.
    std::size_t wordsAt(std::size_t at, tracing::RecordKind kind) const;

    Descriptor file_;
    std::vector<std::uint64_t> chunk_;
    std::size_t at_ = 0;
    std::size_t counters_;
    std::uint64_t ticks_;
    std::vector<ChunkPlace> chunks_;
    std::size_t words_ = 0;    ///< of the chunk that is read, also of those that the file ends before
    std::uint64_t first_ = 0;  ///< the oldest of them
    std::uint64_t read_ = 0;
    std::deque<Record> unfolded_;  ///< of a record that stands for several
    std::size_t room_ = tracing::kChunkBytes;
    std::optional<ChunkProof> unproven_;  ///< of the chunk that is read, where it is not what was written
    std::uint64_t lostWords_ = 0;
    bool isAfterLoss_ = false;
    bool damaged_ = false;
    bool isCut_ = false;
};

/// A sampled access to memory, as its record has it.
struct SampledAccess {
    std::uint64_t address = 0;
    std::uint32_t latency = 0;
    counters::AccessKind kind;
    std::uint32_t allocation = 0;  ///< path of the calls that allocated the data; 0: not known
    std::uint32_t block = 0;       ///< its number; 0: of no block that is known
};

inline SampledAccess accessIn(const Record& record) {
    return {record.words[0], tracing::lowHalf(record.words[1]),
            counters::accessKindIn(tracing::highHalf(record.words[1])), tracing::lowHalf(record.words[2]),
            tracing::highHalf(record.words[2])};
}

/// The records of one location's file without those of MPI calls that failed: their messages and operations
/// never were. What a call records may be followed by the news that it failed, so it waits for the call's
/// end.
///
///     ENTER MPI_Send, MpiSend, MpiFailed, LEAVE      ->      ENTER MPI_Send, LEAVE
class SettledEvents {
  public:
    explicit SettledEvents(EventFile file) : file_(std::move(file)) {}

    /// As `EventFile::next`.
    std::optional<Record> next();
    const EventFile& file() const noexcept { return file_; }

  private:
    struct Waiting {
        tracing::RecordKind kind;
        std::uint64_t ticks;
        std::size_t words;  ///< where they begin in `words_`
        int depth;          ///< in the call's region
        std::uint64_t began;
        std::uint64_t ended;
        bool isAfterLoss;
    };
    std::optional<Record> nextWaiting();
    void wait(const Record& record);
    void dropFailed();

    EventFile file_;
    std::vector<Waiting> waiting_;
    std::vector<std::uint64_t> words_;
    std::size_t taken_ = 0;  ///< of those that wait
    int depth_ = 0;
    bool isSettled_ = true;
};

}  // namespace holos::archive
