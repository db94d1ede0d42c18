// SPDX-License-Identifier: BSD-3-Clause
//
// Counts of messages and their bytes. A message of no bytes only synchronizes.
//
//   sender    ───┤ Send 8 bytes ├────        comms_send + 1, bytes_sent + 8
//   receiver  ───┤ Receive      ├────        comms_recv + 1, bytes_rcvd + 8 (the length that was sent)
//
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kSyncsSendText{"syncs_send", "Sends", "occ", "Number of messages sent that carry no bytes."};
const MetricText kSyncsLateReceiverText{"mpi_slr_count", "Late Receivers", "occ",
                                        "Number of Late Receiver instances whose message carries no bytes."};
const MetricText kSyncsReceiveText{"syncs_recv", "Receives", "occ",
                                   "Number of messages received that carry no bytes."};
const MetricText kSyncsLateSenderText{"mpi_sls_count", "Late Senders", "occ",
                                      "Number of Late Sender instances whose message carries no bytes."};
const MetricText kSyncsWrongOrderText{
    "mpi_slswo_count", "Messages in Wrong Order", "occ",
    "Number of Late Sender instances in wrong order whose message carries no bytes."};
const MetricText kCommsSendText{"comms_send", "Sends", "occ", "Number of messages sent that carry bytes."};
const MetricText kCommsLateReceiverText{"mpi_clr_count", "Late Receivers", "occ",
                                        "Number of Late Receiver instances whose message carries bytes."};
const MetricText kCommsReceiveText{"comms_recv", "Receives", "occ",
                                   "Number of messages received that carry bytes."};
const MetricText kCommsLateSenderText{"mpi_cls_count", "Late Senders", "occ",
                                      "Number of Late Sender instances whose message carries bytes."};
const MetricText kCommsWrongOrderText{
    "mpi_clswo_count", "Messages in Wrong Order", "occ",
    "Number of Late Sender instances in wrong order whose message carries bytes."};
const MetricText kBytesSentText{"bytes_sent", "Sent", "bytes",
                                "Bytes sent in messages from process to process."};
const MetricText kBytesReceivedText{"bytes_rcvd", "Received", "bytes",
                                    "Bytes received in messages from process to process."};

void countMessages(const replay::ReplayedTrace& trace, trace::LocationId location,
                   LocalSeverities& severities) {
    const auto& messages = trace[location].messages;
    for (const replay::Send& send : messages.sends) {
        const replay::NodeId node = messages.calls[send.call].node;
        severities.add(send.bytes == 0 ? Measured::SyncsSend : Measured::CommsSend, node, 1);
        severities.add(Measured::BytesSent, node, static_cast<std::int64_t>(send.bytes));
    }
    for (const replay::Receive& receive : messages.receives) {
        const replay::NodeId node = messages.calls[receive.call].node;
        const std::uint64_t bytes =
            receive.matchIndex == replay::kNone
                ? 0
                : trace.locations[receive.matchLocation].messages.sends[receive.matchIndex].bytes;
        severities.add(bytes == 0 ? Measured::SyncsReceive : Measured::CommsReceive, node, 1);
        severities.add(Measured::BytesReceived, node, static_cast<std::int64_t>(bytes));
    }
}

}  // namespace holos::analyzer::patterns
