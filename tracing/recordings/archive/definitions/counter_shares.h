// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracing/counters/memory_samples.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/recorded_process.h"

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
std::string sharesText(const CounterShares& shares);

/// What the trace says of a sampled access to memory: behind the number of samples two values for each source
/// of data, how many and their latency; then those of lines that threads share.
inline constexpr std::size_t kSharedLine = 1 + 2 * counters::kMemorySources.size();
inline constexpr std::size_t kFalselySharedLine = kSharedLine + 1;
inline constexpr std::size_t kValuesOfMemory = kFalselySharedLine + 1;

struct ValueOfMemory {
    std::string name;
    std::string text;
    const char* unit;
};
/// All but the number of samples, in that order.
std::vector<ValueOfMemory> valuesOfMemory();

/// Whether samples are of accesses to memory, which have values of their own.
bool isOfMemory(const RecordedInterrupts& interrupts);

}  // namespace holos::archive
