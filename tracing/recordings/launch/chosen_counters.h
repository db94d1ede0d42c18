// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/launch/record_request.h"

namespace holos::launch {

/// The counters of a recording, by when they are read.
struct ChosenCounters {
    std::vector<std::string> all;
    std::vector<std::string> ofThreads;  ///< read at region boundaries
    std::vector<std::string> sampled;    ///< of processes and nodes
};

/// The names of counters that are asked for: those that are named, or those of the specification's set, each
/// by the first of its names that this machine knows. Throws `UsageError`.
std::vector<std::string> wantedCounters(const RecordRequest& request);

/// The wanted counters, which can be counted here. Throws `Error` where one cannot be counted,
/// `UsageError` for what cannot be meant, in the words of the options of `holos record`.
ChosenCounters chooseCounters(const RecordRequest& request);

}  // namespace holos::launch
