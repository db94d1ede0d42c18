// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <atomic>
#include <optional>
#include <vector>

namespace holos::gui {

/// When the iterations of a run's outermost loop begin in its first process, in seconds
/// (`RunRecords::iterations`). Empty where no loop is found, or the trace cannot be read. Reads the whole
/// trace; gives up when `stopped` becomes true.
std::vector<double> iterationBegins(const QString& archive, const std::atomic<bool>& stopped);

/// By how much the second run has to be looked at later, so that the iteration in which the first one is at
/// `time` begins at the same place; nothing where one of them has no such iteration.
struct AlignedIteration {
    std::size_t number = 0;  ///< from 1
    double shift = 0.0;      ///< seconds
};
std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second);

}  // namespace holos::gui
