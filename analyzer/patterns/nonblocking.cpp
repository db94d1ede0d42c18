// SPDX-License-Identifier: BSD-3-Clause
//
// Nonblocking collective operations. They wait as blocking ones do, but in the call that completes them: from
// its enter until the last rank that is needed has begun the operation.
//
//   rank 0  ─┤ Ibarrier ├─────┤ Wait ······│─X├──        w = min(start of rank 1, X) − E(Wait)
//   rank 1  ───────────────────────────────┤ Ibarrier ├──
//                             └──── w ─────┘
//
// A call that completes several operations waits once: for the one that keeps it longest. What it waits for
// messages meanwhile is theirs already. Calls that only test do not wait.
//
#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"

namespace holos::analyzer::patterns {

namespace {

using replay::CollectiveRecord;
using trace::CallKind;

bool blocks(CallKind kind) {
    return trace::isWait(kind) || kind == CallKind::FileEnd;
}

void settle(replay::ReplayedTrace& trace, trace::LocationId id, LocalSeverities&) {
    replay::LocationTrace& location = trace[id];
    std::map<std::uint32_t, CollectiveRecord*> longest;  // by the call that completes them
    for (CollectiveRecord& record : location.messages.collectives) {
        if (!record.isNonblocking() || record.wait == 0) continue;
        if (!blocks(location.messages.calls[record.call].kind)) {
            record.wait = 0;
            continue;
        }
        CollectiveRecord*& known = longest[record.call];
        if (known == nullptr)
            known = &record;
        else if (record.wait > known->wait)
            std::exchange(known, &record)->wait = 0;
        else
            record.wait = 0;
    }
    for (const auto& [call, record] : longest) {
        trace::Ticks& waited = location.messages.calls[call].waited;
        record->wait = std::max<trace::Ticks>(0, record->wait - waited);
        waited += record->wait;
    }
}

}  // namespace

/// After the patterns of messages.
extern const Pattern kNonblockingPattern{.inLocation = settle};

}  // namespace holos::analyzer::patterns
