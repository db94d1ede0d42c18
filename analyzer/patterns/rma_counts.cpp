// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes of one-sided operations, at the process that calls them.
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

void countAccesses(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const replay::RmaRecord& record : location.rma) {
        const replay::NodeId node = location.messages.calls[record.call].node;
        severities.add(Measured::BytesPut, node, static_cast<std::int64_t>(record.put));
        severities.add(Measured::BytesGet, node, static_cast<std::int64_t>(record.got));
    }
}

}  // namespace holos::analyzer::patterns
