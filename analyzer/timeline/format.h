// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::analyzer::timeline {

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

}  // namespace holos::analyzer::timeline
