// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/trace/ids.h"

namespace holos::analyzer::timeline {

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
