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

namespace holos::analyzer::patterns {

namespace {

using replay::CollectiveRecord;
using trace::CallKind;

bool blocks(CallKind kind) {
    return trace::isWait(kind) || kind == CallKind::FileEnd;
}

void settle(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& messages = run.trace[location].messages;
    std::map<std::uint32_t, Ticks*> longest;  // by the call that completes them
    for (std::size_t i = 0; i < messages.collectives.size(); ++i) {
        const CollectiveRecord& record = messages.collectives[i];
        Ticks& wait = found.waits.collectives[i].wait;
        if (!record.isNonblocking() || wait == 0) continue;
        if (!blocks(messages.calls[record.call].kind)) {
            wait = 0;
            continue;
        }
        Ticks*& known = longest[record.call];
        if (known == nullptr)
            known = &wait;
        else if (wait > *known)
            *std::exchange(known, &wait) = 0;
        else
            wait = 0;
    }
    for (const auto& [call, wait] : longest) {
        *wait = std::max<Ticks>(0, *wait - found.calls.waited(call));
        found.calls.add(call, *wait);
    }
}

}  // namespace

/// After the patterns of messages.
extern const Pattern kNonblockingPattern{.inLocation = settle};

}  // namespace holos::analyzer::patterns
