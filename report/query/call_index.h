// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/run_records.h"
#include "report/query/table.h"

namespace holos::query {

/// The threads for which the conditions on these columns may hold.
std::vector<analyzer::trace::LocationId> locationsFor(const analyzer::trace::Definitions& definitions,
                                                      const Question& question, std::size_t locationColumn,
                                                      std::size_t processColumn, std::size_t threadColumn);

/// The table of calls: its columns, what is wanted of it, and its rows as a replay tells them.
namespace call {

namespace trace = analyzer::trace;
using trace::Ticks;

enum : std::size_t {
    kLocation,
    kProcess,
    kThread,
    kRegion,
    kPath,
    kStart,
    kEnd,
    kDuration,
    kOwn,
    kIteration,
    kCount,
    kSent,
    kReceived,
    kDepth
};

struct Row {
    trace::LocationId location;
    analyzer::replay::NodeId node;
    trace::RegionId region;
    Ticks enter = 0, leave = 0, own = 0;
    std::uint64_t count = 1;
    std::uint64_t sent = 0, received = 0;
    std::size_t depth = 0;
};

/// Which calls are wanted, in ticks.
struct Wanted {
    Ticks fromStart = std::numeric_limits<Ticks>::min();
    Ticks toStart = std::numeric_limits<Ticks>::max();
    Ticks toEnd = std::numeric_limits<Ticks>::max();
    double leastDuration = 0;   ///< seconds
    std::vector<char> regions;  ///< by region; empty: all

    /// Of what stands outside of all regions, false where some are wanted.
    bool hasRegion(trace::RegionId region) const {
        return regions.empty() || (region.index() < regions.size() && regions[region.index()] != 0);
    }
    bool begins(Ticks enter) const { return enter >= fromStart && enter <= toStart; }
    bool isNone() const;
};
/// `iterations`: of the process; null where no question is about them.
Wanted wantedBy(const trace::Definitions& definitions, const Question& question,
                const analyzer::Iterations* iterations);

/// The number of the iteration at this time; nothing where there is none.
Value iterationAt(const analyzer::Iterations* iterations, Ticks time);

/// The time of calls within each call, as they end: those that began since it began are within it.
class OwnTimes {
  public:
    Ticks ownOf(const analyzer::replay::LeftCall& call);

  private:
    static constexpr std::size_t kMost = 1U << 20U;
    struct Ended {
        Ticks begin;
        Ticks passed;
    };
    std::vector<Ended> ended_;
};

/// From the replay of one location to rows.
class CallRows : public analyzer::replay::CallListener {
  public:
    explicit CallRows(trace::LocationId location) : location_(location) {}

    void standsFor(std::uint64_t calls) final { repeated_ = calls; }
    void moved(std::uint64_t sent, std::uint64_t received) final {
        sent_ += sent;
        received_ += received;
    }
    void left(const analyzer::replay::LeftCall& one) final {
        take({location_, one.node, one.region, one.enter, one.leave, times_.ownOf(one),
              std::exchange(repeated_, 1), std::exchange(sent_, 0), std::exchange(received_, 0),
              one.around.size()},
             one);
    }

  private:
    virtual void take(const Row& row, const analyzer::replay::LeftCall& call) = 0;

    trace::LocationId location_;
    OwnTimes times_;
    std::uint64_t repeated_ = 1;
    std::uint64_t sent_ = 0, received_ = 0;
};

}  // namespace call

/// What the index has of a call, each as a whole number.
enum class CallFact : unsigned char { Enter, Duration, Own, Region, Path, Count, Sent, Received, Depth };
inline constexpr std::size_t kCallFacts = 9;
/// The path of a call without one.
inline constexpr std::int64_t kNoPath = -1;

/// Calls of a location that stand together, in the order in which they end. As it lies in the file.
struct CallBlock {
    static constexpr std::size_t kMostRows = std::size_t{1} << 14U;

    std::uint32_t location = 0;
    std::uint32_t rows = 0;
    std::uint64_t place = 0;  ///< of its first column; the others follow
    std::int64_t lastEnter = 0;
    std::int64_t lastLeave = 0;
    std::int64_t longest = 0;
    /// Numbers without their smallest one, in as few bytes as the largest of them needs.
    struct Column {
        std::int64_t least = 0;
        std::uint64_t width = 0;  ///< bytes: 0, 1, 2, 4 or 8
        std::uint64_t sum = 0;    ///< that the bytes must have
    };
    std::array<Column, kCallFacts> columns;

    std::int64_t firstEnter() const { return columns[0].least; }
};

/// All calls of a trace, column by column, in a file beside it: answers read what they need of it, instead of
/// the trace's events. It is made once.
///
/// Nothing of the file is believed: functions throw `holos::Error` where it cannot be what was made of this
/// trace as its files are now, or bytes differ from their sum. It is read rather than mapped, so that a file
/// that another program shortens, or a disk that fails, is an error and not the end of this program.
/// Thread safety: safe to read.
class CallIndex {
  public:
    /// `trace`: what `traceMark` says now.
    CallIndex(const std::filesystem::path& file, std::uint64_t trace,
              const analyzer::trace::Definitions& definitions);

    /// The mark of the trace that it was made of.
    std::uint64_t trace() const { return trace_; }
    /// The numbers of blocks of a location, in their order: from the first to below the second.
    std::pair<std::size_t, std::size_t> blocksOf(analyzer::trace::LocationId location) const;
    const CallBlock& block(std::size_t number) const { return blocks_[number]; }
    void read(std::size_t block, CallFact fact, std::vector<std::int64_t>& values) const;

    const std::vector<std::string>& pathTexts() const { return pathTexts_; }
    const analyzer::Iterations& iterations(analyzer::trace::ProcessId process) const {
        return iterations_[process.index()];
    }

  private:
    void requireSense(const analyzer::trace::Definitions& definitions) const;

    algebra::FileReader file_;
    std::uint64_t trace_;
    std::size_t regions_ = 0;
    std::vector<CallBlock> blocks_;     ///< by location
    std::vector<std::size_t> firstOf_;  ///< number of the first block by location, and behind the last
    std::vector<std::string> pathTexts_;
    std::vector<analyzer::Iterations> iterations_;  ///< by process
};

/// A number that tells the files of a trace apart from any others: by their names, sizes, times and inodes.
std::uint64_t traceMark(const std::filesystem::path& anchor);

/// Where the index of a trace may be, best first: `traces.calls` beside `traces.otf2`; where that folder
/// cannot be written, in the user's folder for caches.
std::vector<std::filesystem::path> callIndexFiles(const std::filesystem::path& anchor);

/// Reads the trace, and writes the file; it is there when it is complete. Throws `holos::Error` where it
/// cannot be written, a file that was not made so has its name, the trace is damaged, which an index would
/// not tell, or it is being changed; `Stopped` as `records` does.
void makeCallIndex(const std::filesystem::path& file, const std::filesystem::path& anchor,
                   analyzer::RunRecords& records);

}  // namespace holos::query
