// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

/// Copies the recording to its files, where it is kept in memory (`storage.h`). A thread of the recorder with
/// files of its own does so every quarter of a second; it begins with the program's first event, so that a
/// program that records nothing stays alone. Memory of a chunk is the location's until `endCopy`, then the
/// copier's.
///
/// A killed program leaves what was copied as a whole: of each part, the first word is written last. An error
/// of the file system stops the recording; from then on what is in memory is counted as lost. The room for
/// `status` is there from the start, also where file systems write to new places; where it is not
/// nevertheless, the missing file `reserve` says that the recording stopped, and that nobody knows how much
/// is missing.

namespace holos::tracing::core {

struct KeptPlace;
struct Location;

/// The location's new chunk is to be copied to the offset of the file. `isUsedAgain`: older records are
/// there.
void beginCopy(Location& location, std::uint64_t offset, bool isUsedAgain) noexcept;

/// How much memory events may take, by what the job has: called once, before there are any. Opens files.
void measureCopyRoom() noexcept;
/// Chunks are not larger than that.
std::size_t largestCopiedChunk() noexcept;

/// Hands over the location's chunk. Waits where the copier is far behind.
void endCopy(Location& location) noexcept;

/// Has the thread that copies at work, where it is not yet.
void startCopying() noexcept;

/// Copies what the recorder begins with, in the calling thread. Opens files: called while it begins.
void copyBegin() noexcept;

/// Copies what is there by now. Comes back when that is done, or when the disk is too slow.
void copyNow() noexcept;

/// Copies everything, for good.
void finishCopying() noexcept;

/// A chunk in memory, and what of it is done: in the file, or counted as lost.
struct Copy {
    std::uint64_t* memory;
    std::size_t bytes;
    std::uint64_t offset;       ///< in the file
    std::uint32_t location;     ///< whose it is
    KeptPlace* kept;            ///< its place, where that is used again; else null
    bool hasCounts;             ///< records of counters in it are of the process's counters
    bool isUsedAgain;           ///< in the file are older records, to be removed first
    const std::uint64_t* done;  ///< up to here
    const std::uint64_t* end;   ///< of the records, once the chunk ended
    Copy* next;                 ///< that ended
};

/// The files of a recording that is kept in memory, and what of them is written.
///
/// Thread safety: one thread.
class Copier {
  public:
    Copier() noexcept;
    ~Copier();
    Copier(const Copier&) = delete;
    Copier& operator=(const Copier&) = delete;

    /// Takes room, to be given up when there is no other, and writes the definitions and the status.
    void begin() noexcept;
    /// Writes what came since the last round.
    void round() noexcept;
    /// Writes the rest, and what proves that all is there; nothing more comes.
    void finish() noexcept;
    /// Has the kernel send the status to where other machines see it, and does not wait for that.
    void sendStatus() const noexcept;

  private:
    void writeDefinitions(bool isLast) noexcept;
    void writeEvents() noexcept;
    void writeCurrent(const Location& location, Copy& copy) noexcept;
    void proveCurrent() noexcept;
    void proveTables() noexcept;
    void closeFiles() noexcept;
    void writeEnded() noexcept;
    void writeTables() noexcept;
    void writeStatus() noexcept;
    void advance(Copy& copy, const std::uint64_t* to) noexcept;
    int writeRecords(Copy& copy, const std::uint64_t* to) noexcept;
    void stop(int error) noexcept;

    int status_;  ///< opened first: it says why the others could not be
    int definitions_;
    int events_;
    std::size_t definitionBytes_ = 0;
    bool hasFailed_ = false;
};

/// Gives a chunk to the copier, which releases it. Returns how many bytes wait for that.
std::size_t handOver(Copy& copy) noexcept;

/// How many bytes of chunks wait for the copier.
std::size_t waitingBytes() noexcept;

}  // namespace holos::tracing::core
