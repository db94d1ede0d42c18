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

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const algebra::Picture kLateReceiverPicture{
    {{"sender", "Send", "---########==-------"}, {"receiver", "Recv", "-----------====-----"}},
    {{0, 11, 1, 14}}};

namespace {

const Metric kLateReceiver{
    .parent = "mpi_point2point",
    .uniqueName = "mpi_latereceiver",
    .displayName = "Late Receiver",
    .description =
        "Time that a send operation, or the completion of a nonblocking one, waits because the matching "
        "receive has not been posted yet. Post the receive earlier, or use a nonblocking send.",
    .picture = &kLateReceiverPicture,
    .meaning = "a sender waits for its receiver",
    .activity = Activity::None};
const Metric kSyncsLateReceiver{"syncs_send", "mpi_slr_count", "Late Receivers",
                                "Number of Late Receiver instances whose message carries no bytes."};
const Metric kCommsLateReceiver{"comms_send", "mpi_clr_count", "Late Receivers",
                                "Number of Late Receiver instances whose message carries bytes."};

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
    severities.add(kLateReceiver, call.node, wait.ticks);
    severities.add(wait.empty ? kSyncsLateReceiver : kCommsLateReceiver, call.node, 1);
    wait.completion->wait = wait.ticks;
}

/// After Late Sender of the same location, which marks the calls that wait for senders.
void findInLocation(replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities) {
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

void visitWaits(const replay::ReplayedTrace& trace, trace::LocationId location, const VisitWait& visit) {
    const auto& messages = trace[location].messages;
    for (const replay::SendCompletion& completion : messages.completions) {
        if (completion.wait <= 0) continue;
        const Call& call = messages.calls[completion.call];
        visit({kLateReceiver, call.node, completion.wait, call.enter,
               trace::LocationId(trace.sendOf(location, completion)->matchLocation)});
    }
}

}  // namespace

extern const Pattern kLateReceiverPattern{
    .metrics = {&kLateReceiver, &kSyncsLateReceiver, &kCommsLateReceiver},
    .delays = {{Kind::LateReceiver, "delay_p2p", "delay_latereceiver", "Late Receiver",
                "Delays that make senders wait for a late receiver.", &kDelay}},
    .inLocation = findInLocation,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
