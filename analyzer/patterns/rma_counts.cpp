// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes of one-sided operations, at the process that calls them.
//
//   rank 0  ──┤ Put 16 bytes ├┤ Get 4 bytes ├──       bytes_put + 16, bytes_get + 4
//
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kBytesPut{"bytes_rma", "bytes_put", "Sent",
                       "Bytes that this process sends to windows of others, in atomics, too."};
const Metric kBytesGet{"bytes_rma", "bytes_get", "Received",
                       "Bytes that this process gets from windows of others, in atomics, too."};

void book(const matching::MatchedTrace& run, trace::LocationId id, const LocationWaits&,
          LocalSeverities& severities) {
    const replay::LocationTrace& location = run.trace[id];
    for (const replay::RmaRecord& record : location.rma) {
        if (!location.counted.has(record.event)) continue;
        const replay::NodeId node = location.messages.calls[record.call].node;
        severities.addBytes(kBytesPut, node, record.put);
        severities.addBytes(kBytesGet, node, record.got);
    }
}

}  // namespace

extern const Pattern kAccessesPattern{.metrics = {&kBytesPut, &kBytesGet}, .book = book};

}  // namespace holos::analyzer::patterns
