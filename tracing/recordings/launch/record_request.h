// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracing/counters/interrupts.h"
#include "tracing/recordings/archive/record_settings.h"

namespace holos::launch {

/// What `holos record` was asked for: how to record, and what of, where to.
struct RecordRequest : archive::RecordSettings {
    std::string directory;
    std::string like;    ///< folder of a recording whose settings are repeated; empty: none
    std::string attach;  ///< numbers of processes; empty: a program is started
    bool force = false;
    bool watch = false;
    std::string refused;
    std::vector<std::string> command;
};

/// Throws `UsageError` where something that was asked for cannot be meant, in the words of the options of
/// `holos record`.
void check(const RecordRequest& request);

/// What is to interrupt the program's threads; nothing when that was not asked for. Throws `UsageError` for a
/// text that names nothing, `Error` where this build takes no samples.
std::optional<counters::Interrupts> callStackSamples(const RecordRequest& request);

}  // namespace holos::launch
