// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace holos::tracing {

/// A sum of words of 64 bit that changes where one of them or their order does: what a file should have and
/// has. Not against those who mean harm.
class WordSum {
  public:
    void add(std::uint64_t word) noexcept {
        sum_ += word;
        ordered_ += sum_;
    }
    std::uint64_t value() const noexcept {
        constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
        const std::uint64_t mixed = (sum_ ^ ordered_ >> 29U) * kFactor + ordered_;
        return mixed ^ mixed >> 32U;
    }

  private:
    std::uint64_t sum_ = 0;
    std::uint64_t ordered_ = 0;  ///< of the sums at each step
};

/// Of one word in each 128 bytes, and the last one: disks and file systems lose no less than 512 at a time. A
/// chunk of 256 KB takes half a microsecond, next to nothing beside its events.
inline std::uint64_t sumOfSomeWords(const std::uint64_t* words, std::size_t count) noexcept {
    constexpr std::size_t kStep = 128 / sizeof(std::uint64_t);
    WordSum sum;
    for (std::size_t i = 0; i < count; i += kStep) sum.add(words[i]);
    if (count != 0) sum.add(words[count - 1]);
    return sum.value();
}

/// Of all bytes; those behind the last whole word count as a word with zeros behind them.
inline std::uint64_t sumOfBytes(const void* data, std::size_t bytes) noexcept {
    WordSum sum;
    const auto* const begin = static_cast<const unsigned char*>(data);
    for (std::size_t done = 0; done < bytes; done += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, begin + done, bytes - done < sizeof word ? bytes - done : sizeof word);
        sum.add(word);
    }
    return sum.value();
}

}  // namespace holos::tracing

/// How an event lies in a process's file `events`: words of 64 bit, in the machine's byte order.
///
/// The file is a sequence of chunks of one or more units. The first word of a chunk, `chunkHead`, says whose
/// it is and how large; 0: this unit is of no chunk. Chunks of a location follow each other in time. Behind
/// that word, records follow each other without gaps; a word of zero where a record's header is expected, or
/// the end of the chunk, ends it. A record's header is written after its other words, so what lies before a
/// zero header is complete, whenever the program was killed. Only records of polls and of critical sections
/// change later.
///
///     header:  ticks (lower 56 bit) << 8 | kind
///
/// `events.def` lists the kinds, with the words of each.
namespace holos::tracing {

inline constexpr std::uint32_t kFormatVersion = 17;
inline constexpr std::size_t kChunkBytes = 256 * 1024;  ///< of most chunks, and of the largest
#if defined(__x86_64__)
inline constexpr std::size_t kUnitBytes = 4 * 1024;  ///< whole pages
#else
inline constexpr std::size_t kUnitBytes = 64 * 1024;
#endif

enum class RecordKind : std::uint8_t {
    End = 0,
#define HOLOS_RECORD(kind, group, words) kind,
#include "tracing/recordings/format/events.def"
};

/// Kinds that are handled alike.
enum class RecordGroup : std::uint8_t {
    Region,      ///< enter and leave
    Counters,    ///< values at the time of the record behind them
    Recorder,    ///< the recorder's own work, and what it notices about the thread
    User,        ///< what programs say of themselves
    Mpi,         ///< messages and collective operations
    Rma,         ///< one-sided communication of MPI
    File,        ///< files of MPI
    MpiFailure,  ///< a call of MPI that failed
    Team,        ///< fork, join and team of an OpenMP region
    Lock,        ///< acquire and release, and waits that end without
    Life,        ///< threads that are created, begin, end and are waited for
    Task,        ///< explicit tasks
};

/// Numbers from here on are of no kind.
inline constexpr std::uint8_t kRecordKinds = 1
#define HOLOS_RECORD(kind, group, words) +1
#include "tracing/recordings/format/events.def"
    ;

/// The kind of the record with this header; `End` where it is of none.
constexpr RecordKind kindOf(std::uint64_t header) noexcept {
    const auto code = static_cast<std::uint8_t>(header);
    return code < kRecordKinds ? static_cast<RecordKind>(code) : RecordKind::End;
}

inline constexpr RecordGroup kRecordGroups[kRecordKinds] = {
    RecordGroup::Recorder,
#define HOLOS_RECORD(kind, group, words) RecordGroup::group,
#include "tracing/recordings/format/events.def"
};
constexpr RecordGroup groupOf(RecordKind kind) noexcept {
    return kRecordGroups[static_cast<std::uint8_t>(kind)];
}

/// Whether a record tells what the program did, not what the recorder measured meanwhile.
constexpr bool isOfProgram(RecordKind kind) noexcept {
    return groupOf(kind) != RecordGroup::Counters && groupOf(kind) != RecordGroup::Recorder;
}

/// Whether a call of MPI recorded it, in which nothing was done where the call failed.
constexpr bool isOfMpi(RecordKind kind) noexcept {
    const RecordGroup group = groupOf(kind);
    return group == RecordGroup::Mpi || group == RecordGroup::Rma || group == RecordGroup::File;
}

/// Words of a record of polls: calls of one place, one directly after the other, that found nothing; or, of
/// two in a row, calls that set and unset locks (`locks.h`). The header has the time at which the first
/// was entered. It changes after it was written, but only while it is its location's last, or the last two
/// are: of polls, each call enters itself as open and, when it has found nothing, closes itself before it is
/// added. Whoever reads meanwhile, or after the program was killed, misses one call at most, or finds it
/// without its time.
enum PollsWord : std::size_t {
    kPollsHeader,
    kPollsRegion,  ///< pair(region, call path or 0), as of an enter
    kPollsNumber,
    kPollsInside,  ///< ticks that passed in all of the polls
    kPollsEnd,     ///< ticks at which the last was left
    kPollsOpen,  ///< ticks at which another one was entered that did not find nothing, or is not left yet; 0
    kPollsWords
};

/// Words of a record of critical sections (`locks.h`). The header has the time at which the first
/// one was entered. It changes like that of polls: each section enters itself as open, and is closed before
/// it is added.
enum SectionsWord : std::size_t {
    kSectionsHeader,
    kSectionsRegion,  ///< pair(region, call path or 0), as of an enter
    kSectionsBlock,   ///< pair(region, call path or 0) of the block inside; 0 where there is none
    kSectionsNumber,
    kSectionsEntering,   ///< ticks that passed before their blocks
    kSectionsInside,     ///< ticks that passed in their blocks
    kSectionsLeaving,    ///< ticks that passed behind their blocks
    kSectionsEnd,        ///< ticks at which the last was left
    kSectionsOpen,       ///< ticks at which another one was entered that is not left yet; 0 where none is
    kSectionsOpenBlock,  ///< ticks at which the block of that one was entered
    kSectionsWords
};

/// Functions of a sample.
inline constexpr std::uint32_t kMostSampledFrames = 64;
/// What stands in place of others around them is one more.
inline constexpr std::uint32_t kMostSampledAddresses = kMostSampledFrames + 1;

/// Words of a sample with its header.
constexpr std::size_t sampleWords(std::uint32_t addresses) noexcept {
    return 3 + std::size_t{addresses};
}

inline constexpr std::uint8_t kRecordWords[kRecordKinds] = {
    0,
#define HOLOS_RECORD(kind, group, words) 1 + (words),
#include "tracing/recordings/format/events.def"
};
/// Words of a record with its header, of a sample without its addresses; `counters` is the number of counters
/// of the process.
constexpr std::size_t recordWords(RecordKind kind, std::size_t counters) noexcept {
    return kRecordWords[static_cast<std::uint8_t>(kind)] + (kind == RecordKind::Counters ? counters : 0);
}
static_assert(recordWords(RecordKind::Polls, 0) == kPollsWords);
static_assert(recordWords(RecordKind::Sections, 0) == kSectionsWords);

/// Whether it may change after it was written, while nothing is behind it.
constexpr bool mayChange(RecordKind kind) noexcept {
    return kind == RecordKind::Polls || kind == RecordKind::Sections;
}

constexpr std::uint64_t header(RecordKind kind, std::uint64_t ticks) noexcept {
    return ticks << 8 | static_cast<std::uint64_t>(kind);
}
constexpr std::uint64_t pair(std::uint32_t low, std::uint32_t high) noexcept {
    return static_cast<std::uint64_t>(high) << 32 | low;
}
constexpr std::uint32_t lowHalf(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word);
}
constexpr std::uint32_t highHalf(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 32);
}

constexpr std::uint64_t chunkHead(std::uint32_t location, std::size_t bytes) noexcept {
    return pair(location + 1, static_cast<std::uint32_t>(bytes / kUnitBytes));
}

/// In the number of a location: its chunks have no records, but cells of what it adds up
/// (`tracing/recordings/format/cells.h`).
inline constexpr std::uint32_t kTableBit = 1U << 29;

/// The full ticks of a header, given ticks of the same clock less than 2^55 before or after it.
constexpr std::uint64_t ticksOf(std::uint64_t headerWord, std::uint64_t near) noexcept {
    const auto difference = static_cast<std::int64_t>(((headerWord >> 8) - near) << 8) >> 8;
    return near + static_cast<std::uint64_t>(difference);
}

/// The file of a process whose events are copied that is removed when a disk has no room. Its room is for
/// what is then to be said of the loss; where that has none either, the file's absence says it.
inline constexpr const char* kReserveFile = "reserve";

/// By what a program ended itself; a signal, or a call that the recorder does not see, leaves `NotSaid`.
enum class ExitWay : std::uint64_t {
    NotSaid,
    Exit,     ///< `main` returned, or `exit`
    AtOnce,   ///< `_exit`, `_Exit`
    Quickly,  ///< `quick_exit`, whose code is not known here
};

/// Shared memory page of a process, in its file `status`: what is known even of a program that was killed.
struct Status {
    std::uint64_t lostEvents;              ///< events that could not be recorded
    std::uint64_t failure;                 ///< errno of what stopped the recording; 0 when nothing did
    std::uint64_t ended;                   ///< 1 after the program's orderly end
    std::uint64_t lostSamples;             ///< of the call stack
    std::uint64_t unrecordedChildren = 0;  ///< of the program, that had events and ran no other one
    std::uint64_t isCopied = 0;            ///< 1 where events come to the file by copies (`copying.h`)
    std::uint64_t beats = 0;               ///< counted up while the process lives; 0: it does not tell
    std::uint64_t eventBytes = 0;    ///< of the file `events`: behind them is no chunk; 0: it does not tell
    std::uint64_t waitingNotes = 0;  ///< so many may be in use (`waiting_notes.h`)
    std::uint64_t exitWay = 0;       ///< one of `ExitWay`, as the program said it itself
    std::uint64_t exitCode = 0;      ///< with `ExitWay::Exit` and `ExitWay::AtOnce`
    std::uint64_t definitionBytes = 0;  ///< that are there after the orderly end; 0: it does not tell
    std::uint64_t definitionSum = 0;    ///< of those (`record.h`)
    std::uint64_t isThere = 1;          ///< 0 where the file has lost what it says
    std::uint64_t lateFailure = 0;  ///< errno with which a file system refused what it had taken before; 0
    std::uint32_t unnotedChildren = 0;   ///< that began where the ledger cannot be reached
    std::uint16_t becomesElsewhere = 0;  ///< 1: it becomes a program that does not reach the recorder
    std::uint16_t hasJumped = 0;         ///< 1: out of functions (`longjmp`)
};

}  // namespace holos::tracing
