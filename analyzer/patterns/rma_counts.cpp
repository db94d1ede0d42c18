// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes of one-sided operations, at the process that calls them; and the metrics of what calls waited for.
//
//   rank 0  ──┤ Put 16 bytes ├┤ Get 4 bytes ├──       bytes_put + 16, bytes_get + 4
//
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kBytesPutText{"bytes_put", "Sent", "bytes",
                               "Bytes that this process sends to windows of others, in atomics, too."};
const MetricText kBytesGetText{"bytes_get", "Received", "bytes",
                               "Bytes that this process gets from windows of others, in atomics, too."};

Measured metricOf(const replay::RmaWait& wait) {
    using Kind = replay::RmaWait::Kind;
    switch (wait.kind) {
        case Kind::LatePost:
            return wait.inAccess ? Measured::RmaCommLatePost : Measured::RmaSyncLatePost;
        case Kind::EarlyWait:
            return Measured::RmaEarlyWait;
        case Kind::Lock:
            return wait.inAccess ? Measured::RmaCommLock : Measured::RmaSyncLock;
        case Kind::Progress:
            return wait.inAccess ? Measured::RmaCommProgress : Measured::RmaSyncProgress;
    }
    return Measured::Count;
}

void bookAccesses(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const replay::RmaWait& wait : location.rmaWaits) {
        const replay::Call& call = location.messages.calls[wait.call];
        severities.add(metricOf(wait), call.node, wait.wait);
        if (trace::isWait(call.kind)) severities.add(Measured::NonblockingRma, call.node, wait.wait);
    }
    for (const replay::RmaRecord& record : location.rma) {
        const replay::NodeId node = location.messages.calls[record.call].node;
        severities.add(Measured::BytesPut, node, static_cast<std::int64_t>(record.put));
        severities.add(Measured::BytesGet, node, static_cast<std::int64_t>(record.got));
    }
}

}  // namespace holos::analyzer::patterns
