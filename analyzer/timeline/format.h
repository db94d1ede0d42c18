// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "analyzer/trace/ids.h"

namespace holos::analyzer::timeline {

/// What files beside a trace have in common.

/// As it lies in memory.
template <class Thing>
std::string_view bytesOf(const Thing& thing) {
    return {reinterpret_cast<const char*>(&thing), sizeof(thing)};
}

/// Whether a file was made before the trace was written, or nobody knows.
inline bool isOlder(const std::filesystem::path& file, const std::filesystem::path& anchor) {
    std::error_code first, second;
    const auto made = std::filesystem::last_write_time(file, first);
    const auto written = std::filesystem::last_write_time(anchor, second);
    return first || second || made < written;
}

/// The file of the levels, in the byte order of the machine that made it, which its first number tells.
///
///     Header | rows | messages | table of rows
///
/// Rows: all locations; then pairs of neighbours, then fours, and so on until one row has them all. A row:
///
///     starts     uint32 × (levels + 3): where the times of each level begin, the checkpoints, the quiet
///                calls, and the end; counted from the start of the row
///     dominants  2 × uint32 for each bin of each level: region × 256 + share, of most and of lost
///     times      for each bin a byte with the activities that it has, and their ticks as packed numbers
///     checkpoints, quiet calls, of locations only: packed numbers; behind the latter uint64, their sum
struct Header {
    static constexpr std::uint64_t kMagic = 0x31454D4954534F4CU;
    static constexpr std::uint64_t kVersion = 4;

    std::uint64_t magic = kMagic;
    std::uint64_t version = kVersion;
    // Of which trace it is.
    std::uint64_t locations = 0;
    std::uint64_t regions = 0;
    std::uint64_t length = 0;  ///< ticks
    std::uint64_t ticksPerSecond = 0;
    std::uint64_t offset = 0;          ///< of the clock
    std::uint64_t promisedEvents = 0;  ///< as the definitions say
    // What it holds.
    std::uint64_t levels = 0;
    std::uint64_t rows = 0;
    std::uint64_t table = 0;     ///< byte at which the table begins; it goes to the file's end
    std::uint64_t messages = 0;  ///< byte at which the messages begin
    std::uint64_t messageCount = 0;
    std::uint64_t oneOf = 1;  ///< the messages of one channel in so many were kept
    std::uint64_t reserved = 0;
};

struct RowPlace {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// Between two checkpoints of a location.
inline constexpr std::uint64_t kEventsBetweenCheckpoints = 1U << 16U;
/// A file with more is damaged: none that Holos makes has them.
inline constexpr std::uint64_t kMostLocations = 1U << 24U;

/// Rows that the locations make when 2^level of them are taken together.
constexpr std::uint64_t rowsOf(std::uint64_t locations, unsigned level) {
    return (locations + (std::uint64_t{1} << level) - 1) >> level;
}
/// Until one row has all locations.
constexpr unsigned rowLevelsOf(std::uint64_t locations) {
    unsigned level = 0;
    while (rowsOf(locations, level) > 1) ++level;
    return level + 1;
}
/// The position of a row.
constexpr std::uint64_t rowPosition(std::uint64_t locations, unsigned level, std::uint64_t row) {
    for (unsigned below = 0; below < level; ++below) row += rowsOf(locations, below);
    return row;
}

/// The file of the course of a run, in the byte order of the machine that made it.
///
///     CourseHeader | names | blocks | rows | tables
///
/// Names stand one behind the other, a zero byte behind each. A block has marks of one kind and of about one
/// length, by their start, as packed numbers. A row has the sums of one name, of a location or of 2, 4, 8, …
/// neighbours: for each level of the grid where its bins end in the row (uint32), then packed numbers; of
/// what is spread over long times the finest levels are empty. The tables: the places of all blocks, then of
/// the rows of each name.
struct CourseHeader {
    static constexpr std::uint64_t kMagic = 0x31525543534F4C48U;
    static constexpr std::uint64_t kVersion = 2;

    std::uint64_t magic = kMagic;
    std::uint64_t version = kVersion;
    std::uint64_t trace = 0;      ///< what the definitions say, as one number
    std::uint64_t locations = 0;  ///< of the trace
    std::uint64_t names = 0;
    std::uint64_t namesSize = 0;  ///< bytes, behind the header
    std::uint64_t levels = 0;     ///< of the grid
    std::uint64_t blocks = 0;
    std::uint64_t tables = 0;  ///< byte at which they begin; they go to the file's end
    std::uint64_t sum = 0;     ///< of names and tables
};

/// Where some bytes are, and their sum.
struct CoursePlace {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t sum = 0;
};

struct CourseBlock {
    CoursePlace place;
    std::uint64_t marks = 0;
    std::int64_t first = 0;  ///< begin of the first mark
    std::uint32_t kind = 0;
    std::uint32_t width = 0;  ///< bits of the lengths
};

inline constexpr std::uint64_t kMarksInBlock = 512;

enum class MarkKind : std::uint8_t { Path, Operation, Part, Wait };
inline constexpr std::uint32_t kMarkKinds = 4;

inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// What analysis found at a place in time:
///
///     Path       a part of the critical path
///     Operation  a collective operation, from the first that came until all have left
///     Part       of one location in an operation
///     Wait       one wait, until what was waited for
struct CourseMark {
    MarkKind kind = MarkKind::Wait;
    std::uint32_t name = 0;      ///< position among the names; of an operation, that of its call
    std::uint32_t location = 0;  ///< of an operation, the first one of the trace that takes part
    /// Of a part of the path: where it goes on; of an operation: the last location of the trace that takes
    /// part; of a part in one: who came last; of a wait: who is waited for, where that is one.
    std::uint32_t other = kNobody;
    std::uint32_t group = 0;  ///< of a part: the number of its operation; of an operation: how many take part
    trace::Ticks begin = 0;
    trace::Ticks end = 0;

    friend bool operator==(const CourseMark&, const CourseMark&) = default;
};

}  // namespace holos::analyzer::timeline
