// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/run_records.h"

namespace holos::query {

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
