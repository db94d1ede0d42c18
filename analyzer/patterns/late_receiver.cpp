// SPDX-License-Identifier: BSD-3-Clause
//
// Late Receiver: a send waits because its receive was not posted yet.
//
//   sender    ───┤ Send ··············· ├──        w = E(receive) − E(send), unless the send ended before
//   receiver  ────────────────┤ Receive ├──
//                └──── w ────┘
//
#include <map>

#include "analyzer/patterns/pattern.h"
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
using replay::RecordRef;
using trace::CallKind;
using trace::Ticks;

struct Wait {
    Ticks ticks = 0;
    bool empty = false;
    std::uint32_t completion = kNone;
};

/// Only calls that block until the message is on its way can wait for its receiver.
bool canWait(CallKind kind) {
    return kind == CallKind::Send || trace::isWait(kind);
}

void book(replay::NodeId node, std::uint32_t call, const Wait& wait, LocationFindings& found) {
    found.calls.add(call, wait.ticks);
    found.severities.add(kLateReceiver, node, wait.ticks);
    found.severities.add(wait.empty ? kSyncsLateReceiver : kCommsLateReceiver, node, 1);
    found.waits.completions[wait.completion] = wait.ticks;
}

/// After Late Sender of the same location, which marks the calls that wait for senders.
void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& messages = run.trace[location].messages;
    std::map<std::uint32_t, Wait> largest;  // by call that completes several sends
    for (std::uint32_t i = 0; i < messages.completions.size(); ++i) {
        const replay::SendCompletion& completion = messages.completions[i];
        const Call& call = messages.calls[completion.call];
        if (!canWait(call.kind)) continue;
        const RecordRef sent = run.trace.sendOf(location, completion);
        const RecordRef received = matching::receiveOf(run.matches.messages, sent);
        if (!received.isKnown()) continue;
        const auto& destination = run.trace.locations[received.location].messages;
        const Call* posted = run.trace.postOf(destination.receives[received.position]);
        if (posted == nullptr) continue;
        const Ticks request = posted->enter;
        const replay::Send& send = run.trace.locations[sent.location].messages.sends[sent.position];
        const Ticks others = run.trace[location].notOwn(call.node, {call.enter, request});
        const Wait wait{call.leave <= request ? 0 : request - call.enter - others, send.bytes == 0, i};
        if (wait.ticks <= 0) continue;
        if (call.kind != CallKind::WaitSeveral)
            book(call.node, completion.call, wait, found);
        else if (!found.calls.hasLateSender(completion.call)) {
            Wait& most = largest[completion.call];
            if (wait.ticks > most.ticks) most = wait;
        }
    }
    for (const auto& [call, wait] : largest) book(messages.calls[call].node, call, wait, found);
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const auto& messages = run.trace[location].messages;
    const auto& waits = run.waits[location.index()].completions;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i] <= 0) continue;
        const replay::SendCompletion& completion = messages.completions[i];
        const Call& call = messages.calls[completion.call];
        const RecordRef received =
            matching::receiveOf(run.matches.messages, run.trace.sendOf(location, completion));
        visit({kLateReceiver, call.node, waits[i], call.enter, trace::LocationId(received.location)});
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
