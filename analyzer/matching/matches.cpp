// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/matches.h"

#include <utility>

namespace holos::analyzer::matching {

MatchedRecords matchRecords(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory) {
    MessageMatches messages = matchMessages(trace, workers, memory);
    auto [collectives, operations] = matchCollectives(trace, workers, memory);
    return {{std::move(messages), std::move(collectives), ForkedStays(trace)}, std::move(operations)};
}

}  // namespace holos::analyzer::matching
