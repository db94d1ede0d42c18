// SPDX-License-Identifier: BSD-3-Clause
//
// Books what the patterns of collective operations have found, and counts operations and bytes.
//
//   rank 0  ──┤ Bcast, sends 16 bytes ├──       comms_csrc + 1, bytes_cout + 16
//   rank 1  ──┤ Bcast, receives 4     ├──       comms_cdst + 1, bytes_cin + 4
//
#include "analyzer/patterns/list.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kSyncsCollective{
    .parent = "syncs",
    .uniqueName = "syncs_coll",
    .displayName = "Collective",
    .description = "Number of collective operations in which this process moves no bytes.",
    .before = "syncs_rma"};
const Metric kCommsExchange{"comms_coll", "comms_cxch", "Collective as source & destination",
                            "Number of collective operations in which this process sends and receives."};
const Metric kCommsSource{"comms_coll", "comms_csrc", "Collective as source",
                          "Number of collective operations in which this process only sends."};
const Metric kCommsDestination{"comms_coll", "comms_cdst", "Collective as destination",
                               "Number of collective operations in which this process only receives."};
const Metric kBytesOut{"bytes_coll", "bytes_cout", "Outgoing",
                       "Bytes that this process sends in collective operations."};
const Metric kBytesIn{"bytes_coll", "bytes_cin", "Incoming",
                      "Bytes that this process receives in collective operations."};

using replay::Collective;

/// Where a call has its time elsewhere, since it completes operations of any kind.
bool isPartOfCompletion(const replay::CollectiveRecord& record, trace::CallKind call) {
    return record.isNonblocking() && call != trace::CallKind::FileEnd;
}

void bookWaits(const replay::CollectiveRecord& record, trace::CallKind call, LocalSeverities& severities) {
    const CollectiveRule* const rule = ruleOf(record.operation);
    if (rule == nullptr) return;
    if (isPartOfCompletion(record, call)) severities.add(rule->nonblocking, record.node, record.wait);
    severities.add(*rule->wait, record.node, record.wait);
    if (rule->completion != nullptr) severities.add(*rule->completion, record.node, record.completion);
}

void count(const replay::CollectiveRecord& record, LocalSeverities& severities) {
    const Metric& count = record.sent == 0       ? record.received == 0 ? kSyncsCollective : kCommsDestination
                          : record.received == 0 ? kCommsSource
                                                 : kCommsExchange;
    severities.add(count, record.node, 1);
    severities.add(kBytesOut, record.node, static_cast<std::int64_t>(record.sent));
    severities.add(kBytesIn, record.node, static_cast<std::int64_t>(record.received));
}

void book(const replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities) {
    const auto& messages = trace[location].messages;
    for (const replay::CollectiveRecord& record : messages.collectives) {
        if (record.operation == Collective::Other) continue;  // a nonblocking one that did not complete
        bookWaits(record, messages.calls[record.call].kind, severities);
        // Those of windows and files are not counted here.
        if (record.operation < Collective::Other) count(record, severities);
    }
}

void visitWaits(const replay::ReplayedTrace& trace, trace::LocationId location, const VisitWait& visit) {
    for (const replay::CollectiveRecord& record : trace[location].messages.collectives) {
        const CollectiveRule* const rule = ruleOf(record.operation);
        if (rule == nullptr || record.wait <= 0) continue;
        std::optional<trace::LocationId> awaited;
        if (record.waitsFor != nullptr) awaited = trace::LocationId(record.waitsFor->location);
        visit({*rule->wait, record.node, record.wait, record.blocksFrom, awaited});
    }
}

}  // namespace

void collectiveWaits(matching::CollectiveInstance instance) {
    if (instance.size() < 2) return;
    if (const CollectiveRule* const rule = ruleOf(instance[0]->operation)) rule->find(instance);
}

extern const Pattern kCollectivesPattern{
    .metrics = {&kSyncsCollective, &kCommsExchange, &kCommsSource, &kCommsDestination, &kBytesOut, &kBytesIn},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
