// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tracing/counters/memory_samples.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

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
