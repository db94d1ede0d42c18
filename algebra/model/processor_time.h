// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "algebra/model/structure.h"

/// How long threads were on processors by the kernel's count, as attributes of locations tell.
namespace holos::algebra {

inline constexpr std::string_view kOnProcessorsAttribute = "nanoseconds on processors";
inline constexpr std::string_view kWaitingForProcessorsAttribute = "nanoseconds waiting for processors";
inline constexpr std::string_view kShortageAttribute = "nanoseconds between events without processors";

/// Seconds, from the thread's start to its end.
struct ProcessorTime {
    double on = 0;
    std::optional<double> waiting;  ///< could run, and waited for a processor
    /// The part of that of which it is known between which events it was; nothing where none was looked for.
    std::optional<double> betweenEvents;
};

/// Nothing where it is not known.
std::optional<ProcessorTime> processorTimeOf(const Location& location);

/// Whether the recorder would have told it, but did not see the end of the process.
bool lacksProcessorTime(const Location& location);

}  // namespace holos::algebra
