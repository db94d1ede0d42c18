// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "analyzer/matching/collectives.h"
#include "analyzer/matching/messages.h"
#include "analyzer/matching/teams.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// What belongs together in a trace. Locks and barriers of threads are matched when their waits are looked
/// for (`teams.h`), and epochs of one-sided communication by those who ask (`epochs.h`).
struct Matches {
    MessageMatches messages;
    CollectiveMatches collectives;
    ForkedStays teams;
};

struct MatchedRecords {
    Matches matches;
    CollectiveOperations operations;
};
/// Finds all of them, kept in `memory`. The same for any number of workers.
inline MatchedRecords matchRecords(const replay::ReplayedTrace& trace, workers::Workers& workers,
                                   Memory memory) {
    MessageMatches messages = matchMessages(trace, workers, memory);
    auto [collectives, operations] = matchCollectives(trace, workers, memory);
    return {{std::move(messages), std::move(collectives), ForkedStays(trace)}, std::move(operations)};
}

/// A trace and what belongs together in it.
struct MatchedTrace {
    const replay::ReplayedTrace& trace;
    const Matches& matches;
};

}  // namespace holos::analyzer::matching
