// SPDX-License-Identifier: BSD-3-Clause
//
// Counts of messages and their bytes. A message of no bytes only synchronizes.
//
//   sender    ───┤ Send 8 bytes ├────        comms_send + 1, bytes_sent + 8
//   receiver  ───┤ Receive      ├────        comms_recv + 1, bytes_rcvd + 8 (the length that was sent)
//
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kSyncsSend{"syncs_p2p", "syncs_send", "Sends", "Number of messages sent that carry no bytes."};
const Metric kSyncsReceive{"syncs_p2p", "syncs_recv", "Receives",
                           "Number of messages received that carry no bytes."};
const Metric kCommsSend{"comms_p2p", "comms_send", "Sends", "Number of messages sent that carry bytes."};
const Metric kCommsReceive{"comms_p2p", "comms_recv", "Receives",
                           "Number of messages received that carry bytes."};
const Metric kBytesSent{"bytes_p2p", "bytes_sent", "Sent", "Bytes sent in messages from process to process."};
const Metric kBytesReceived{"bytes_p2p", "bytes_rcvd", "Received",
                            "Bytes received in messages from process to process."};

void count(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& messages = run.trace[location].messages;
    const auto& sendOf = run.matches.messages.sendOf[location.index()];
    LocalSeverities& severities = found.severities;
    NodeSums& sent = severities.of(kBytesSent);
    NodeSums& received = severities.of(kBytesReceived);
    NodeSums* const sends[] = {&severities.of(kSyncsSend), &severities.of(kCommsSend)};
    NodeSums* const receives[] = {&severities.of(kSyncsReceive), &severities.of(kCommsReceive)};
    for (const replay::Send& send : messages.sends) {
        const replay::NodeId node = messages.calls[send.call].node;
        sends[send.bytes == 0 ? 0 : 1]->add(node, 1);
        sent.add(node, static_cast<std::int64_t>(send.bytes));
    }
    for (std::size_t i = 0; i < messages.receives.size(); ++i) {
        const replay::NodeId node = messages.calls[messages.receives[i].call].node;
        const replay::RecordRef send = sendOf[i];
        const std::uint64_t bytes =
            send.isKnown() ? run.trace.locations[send.location].messages.sends[send.position].bytes : 0;
        receives[bytes == 0 ? 0 : 1]->add(node, 1);
        received.add(node, static_cast<std::int64_t>(bytes));
    }
}

}  // namespace

extern const Pattern kMessageCountsPattern{
    .metrics = {&kSyncsSend, &kSyncsReceive, &kCommsSend, &kCommsReceive, &kBytesSent, &kBytesReceived},
    .inLocation = count};

}  // namespace holos::analyzer::patterns
