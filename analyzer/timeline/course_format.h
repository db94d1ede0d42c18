// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/timeline/format.h"

namespace holos::analyzer::timeline {

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

}  // namespace holos::analyzer::timeline
