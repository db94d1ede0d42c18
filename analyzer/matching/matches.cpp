// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/matches.h"

namespace holos::analyzer::matching {

Matches matchRecords(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory) {
    return {matchMessages(trace, workers, memory), matchCollectives(trace, workers, memory),
            ForkedStays(trace)};
}

}  // namespace holos::analyzer::matching
