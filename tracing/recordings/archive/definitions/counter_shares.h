// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// Which part of something a counter had in all threads, and how well its sum is known where it is an
/// estimate.
struct CounterShares {
    double least = 1;
    double sum = 0;
    std::size_t threads = 0;
    RecordedEstimate estimate;

    double mean() const { return threads == 0 ? 1 : sum / static_cast<double>(threads); }
    /// Two standard deviations of the sum over all threads, in parts of it; nothing where it is no estimate.
    std::optional<double> error() const;
};

/// By the counter's name the part of the time in which it was counted: of those that took turns, or of which
/// others used the registers, too.
std::map<std::string, CounterShares> activeSharesOf(const std::vector<TraceProcess>& processes);

/// By the counter's name the part of the readings that took no system call.
std::map<std::string, CounterShares> userSpaceSharesOf(const std::vector<TraceProcess>& processes);

/// The part of the time and the error, for the description of a counter; empty for one counted all the time.
std::string textOf(const CounterShares& shares);

}  // namespace holos::archive
