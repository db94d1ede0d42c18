// SPDX-License-Identifier: BSD-3-Clause
//
// Late Receiver: a send waits because its receive was not posted yet.
//
//   sender    ───┤ Send ··············· ├──        w = E(receive) − E(send), unless the send ended before
//   receiver  ────────────────┤ Receive ├──
//                └──── w ────┘
//
#include <algorithm>
#include <map>

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kLateReceiverText{"mpi_latereceiver", "Late Receiver", "sec",
                                   "Time that a send operation, or the completion of a nonblocking one, "
                                   "waits because the matching receive has not "
                                   "been posted yet. Post the receive earlier, or use a nonblocking send."};

namespace {

using replay::Call;
using trace::CallKind;
using trace::Ticks;

struct Wait {
    Ticks ticks = 0;
    bool empty = false;
    replay::SendCompletion* completion = nullptr;
};

/// Only calls that block until the message is on its way can wait for its receiver.
bool canWait(CallKind kind) {
    return kind == CallKind::Send || trace::isWait(kind);
}

void book(Call& call, const Wait& wait, LocalSeverities& severities) {
    call.waited += wait.ticks;
    severities.add(Measured::LateReceiver, call.node, wait.ticks);
    severities.add(wait.empty ? Measured::SyncsLateReceiver : Measured::CommsLateReceiver, call.node, 1);
    wait.completion->wait = wait.ticks;
}

}  // namespace

void lateReceiver(replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities) {
    auto& messages = trace[location].messages;
    std::map<std::uint32_t, Wait> largest;  // by call that completes several sends
    for (replay::SendCompletion& completion : messages.completions) {
        const replay::Send* send = trace.sendOf(location, completion);
        Call& call = messages.calls[completion.call];
        if (send == nullptr || send->matchIndex == replay::kNone || !canWait(call.kind)) continue;
        const auto& destination = trace.locations[send->matchLocation].messages;
        const Call* posted = trace.postOf(destination.receives[send->matchIndex]);
        if (posted == nullptr) continue;
        const Ticks request = posted->enter;
        const Wait wait{call.leave <= request ? 0 : request - call.enter, send->bytes == 0, &completion};
        if (wait.ticks <= 0) continue;
        if (call.kind != CallKind::WaitSeveral)
            book(call, wait, severities);
        else if (!call.waitsForSender) {
            Wait& most = largest[completion.call];
            if (wait.ticks > most.ticks) most = wait;
        }
    }
    for (const auto& [call, wait] : largest) book(messages.calls[call], wait, severities);
}

}  // namespace holos::analyzer::patterns
