// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace holos::archive {

/// What the kernel says of a thread, at one moment.
struct RecordedProcessorTime {
    std::int64_t on = 0;        ///< nanoseconds that it has been on processors; -1: not known
    std::int64_t waiting = -1;  ///< that it has waited for one; -1 where the kernel does not tell
};

/// From a thread's start (of a program's first thread: from the start of the recording) to its end.
struct ProcessorTime {
    std::uint64_t on = 0;                  ///< nanoseconds on processors
    std::optional<std::uint64_t> waiting;  ///< nanoseconds in which it could run and waited for one
    std::optional<std::uint64_t> betweenEvents = {};  ///< those that events tell of
};

/// `recorded`: at the thread's end, and before that at its start where the recording began later. Nothing
/// where the end was not seen. `isFirst`: the program's first thread.
std::optional<ProcessorTime> processorTimeOf(const std::vector<RecordedProcessorTime>& recorded,
                                             bool isFirst);

}  // namespace holos::archive
