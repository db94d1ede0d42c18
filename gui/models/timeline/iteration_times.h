// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <atomic>
#include <optional>
#include <vector>

namespace holos::gui {

/// The iterations of a run's outermost loop in its first process, in seconds.
struct IterationTimes {
    std::vector<double> begins = {};  ///< ascending
    double end = 0.0;                 ///< of the last one
};

/// As `RunRecords::iterations` finds them. Empty where no loop is found, or the trace cannot be read. Reads
/// the whole trace; gives up when `stopped` becomes true.
IterationTimes iterationTimes(const QString& archive, const std::atomic<bool>& stopped);

/// The iteration that a time lies in.
struct FoundIteration {
    std::size_t number = 0;  ///< from 1
    double from = 0.0;
    double to = 0.0;
};
std::optional<FoundIteration> iterationAt(double time, const IterationTimes& iterations);

/// By how much the second run has to be looked at later, so that the iteration in which the first one is at
/// `time` begins at the same place; nothing where one of them has no such iteration.
struct AlignedIteration {
    std::size_t number = 0;  ///< from 1
    double shift = 0.0;      ///< seconds
};
std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second);

}  // namespace holos::gui
