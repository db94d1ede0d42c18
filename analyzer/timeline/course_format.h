// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/timeline/format.h"
#include "analyzer/trace/ids.h"

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
