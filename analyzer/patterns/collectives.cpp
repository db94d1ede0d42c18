// SPDX-License-Identifier: BSD-3-Clause
//
// Books what the patterns of collective operations have found, and counts operations and bytes.
//
//   rank 0  ──┤ Bcast, sends 16 bytes ├──       comms_csrc + 1, bytes_cout + 16
//   rank 1  ──┤ Bcast, receives 4     ├──       comms_cdst + 1, bytes_cin + 4
//
#include <vector>

#include "analyzer/patterns/list.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/patterns/returns.h"
#include "analyzer/patterns/starved_calls.h"

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

const Metric kLateMember{
    .parent = "mpi_collective",
    .uniqueName = "mpi_latemember",
    .displayName = "Wait for Late Member",
    .description =
        "Time that a process waits in a broadcast, scatter, reduction, gather or prefix reduction for another "
        "process than the operation says, which may be of its own group where there are two: data pass through "
        "others, and large data only move when both ends are in the call. It was through soon after that one, "
        "the last so far, had come. Balance the work before the operation.",
    .picture = &kAllWait,
    .meaning = "processes wait in an operation with a root for one that its data pass through",
    .activity = Activity::None};

using replay::Collective;

/// Where a call has its time elsewhere, since it completes operations of any kind.
bool isPartOfCompletion(const replay::CollectiveRecord& record, trace::CallKind call) {
    return record.isNonblocking() && call != trace::CallKind::FileEnd;
}

void bookWaits(const replay::CollectiveRecord& record, trace::CallKind call, const CollectiveWait& wait,
               LocalSeverities& severities) {
    const CollectiveRule* const rule = ruleOf(record.operation);
    if (rule == nullptr) return;
    if (isPartOfCompletion(record, call)) severities.add(rule->nonblocking, record.node, wait.wait);
    severities.add(*rule->wait, record.node, wait.wait);
    if (rule->completion != nullptr) severities.add(*rule->completion, record.node, wait.completion);
}

void count(const replay::CollectiveRecord& record, LocalSeverities& severities) {
    const Metric& count = record.sent == 0       ? record.received == 0 ? kSyncsCollective : kCommsDestination
                          : record.received == 0 ? kCommsSource
                                                 : kCommsExchange;
    severities.add(count, record.node, 1);
    severities.addBytes(kBytesOut, record.node, record.sent);
    severities.addBytes(kBytesIn, record.node, record.received);
}

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits& waits,
          LocalSeverities& severities) {
    const auto& messages = run.trace[location].messages;
    for (std::size_t i = 0; i < messages.collectives.size(); ++i) {
        const replay::CollectiveRecord& record = messages.collectives[i];
        if (record.operation == Collective::Other) continue;  // a nonblocking one that did not complete
        bookWaits(record, messages.calls[record.call].kind, waits.collectives[i], severities);
        // Operations of windows and files are not counted here.
        const bool isCounted = run.trace[location].counted.has(record.event);
        if (record.operation < Collective::Other && isCounted) count(record, severities);
    }
}

const replay::CollectiveRecord& recordAt(const replay::ReplayedTrace& trace, replay::RecordRef ref) {
    return trace.locations[ref.location].messages.collectives[ref.position];
}

/// A rank comes to the operation.
End comingOf(const replay::ReplayedTrace& trace, const replay::CollectiveRecord& record) {
    return record.isNonblocking() ? callEnd(trace, record.beginLocation, record.beginCall, record.beginEvent)
                                  : startOfCall(trace, record.location, record.call);
}

/// For who held up a rank beyond the wait that its operation names. A call that completes several operations
/// waits for one after the other.
void noteLateMember(const matching::MatchedTrace& run, const replay::CollectiveRecord& record,
                    const CollectiveWait& known, LocationFindings& found) {
    if (!known.heldUpBy.isKnown()) return;
    const replay::LocationTrace& location = run.trace.locations[record.location];
    const trace::CallKind call = location.messages.calls[record.call].kind;
    const bool completes = isPartOfCompletion(record, call);
    if (completes && !trace::isWait(call)) return;
    const replay::CollectiveRecord& cause = recordAt(run.trace, known.heldUpBy);
    const Ticks from = record.blocksFrom + std::max(known.wait, found.calls.waited(record.call));
    const Ticks wait = cause.begin - from - location.notOwn(record.node, {from, cause.begin});
    if (wait <= 0) return;
    found.waits.dependencies.push_back({callEnd(run.trace, record.location, record.call, record.event),
                                        comingOf(run.trace, cause), &kLateMember, wait, wait,
                                        kindOf(record.operation)});
    if (!completes) return;
    found.calls.add(record.call, wait);
    found.severities.add(Nonblocking::Collective, record.node, wait);
}

/// Of ranks that are not all in the call at the same time. To Scalasca prefix reductions are none.
void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto here = static_cast<std::uint32_t>(location.index());
    const auto& records = run.trace[location].messages.collectives;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const CollectiveWait& wait = found.waits.collectives[i];
        noteLateMember(run, records[i], wait, found);
        if (wait.wait <= 0 || !wait.awaited.isKnown() || wait.synchronizes) continue;
        const Kind kind = kindOf(records[i].operation);
        found.waits.dependencies.push_back({callEnd(run.trace, here, records[i].call, records[i].event),
                                            comingOf(run.trace, recordAt(run.trace, wait.awaited)), nullptr,
                                            wait.wait, 0, kind, kind != Kind::Scan});
    }
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const auto& records = run.trace[location].messages.collectives;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const CollectiveRule* const rule = ruleOf(records[i].operation);
        const CollectiveWait& found = run.waits[location.index()].collectives[i];
        if (rule == nullptr || found.wait <= 0) continue;
        std::optional<trace::LocationId> awaited;
        if (found.awaited.isKnown()) awaited = trace::LocationId(found.awaited.location);
        visit({*rule->wait, records[i].node, found.wait, records[i].blocksFrom, awaited});
    }
}

std::vector<CollectivePart> partsOf(const replay::ReplayedTrace& trace, matching::CollectiveInstance instance,
                                    const StarvedCalls& starved, AllFindings& found) {
    std::vector<CollectivePart> parts;
    parts.reserve(instance.size());
    for (const replay::RecordRef ref : instance) {
        const replay::CollectiveRecord& record = recordAt(trace, ref);
        parts.push_back({ref, &record, &found.own(ref.location).waits.collectives[ref.position],
                         starved.lackOf(ref.location, record.call)});
    }
    return parts;
}

/// Neither the recorder's time nor that of what the call called is its own.
void leaveOutOthers(const CollectivePart& part, const replay::LocationTrace& location) {
    CollectiveWait& wait = *part.wait;
    wait.wait -= location.notOwn(part->node, {part->blocksFrom, part->blocksFrom + wait.wait});
    wait.completion -= location.notOwn(part->node, {part->end - wait.completion, part->end});
}

void withinGroup(CollectiveParts instance) {
    if (instance.size() < 2) return;
    if (const CollectiveRule* const rule = ruleOf(instance[0]->operation)) rule->find(instance);
}

}  // namespace

void findCollectiveWaits(const replay::ReplayedTrace& trace, const matching::CollectiveOperations& operations,
                         workers::Workers& workers, AllFindings& found) {
    const StarvedCalls starved(trace);
    Returns returns(trace, workers);
    operations.forEach(workers, [&](std::size_t number, matching::CollectiveInstance instance) {
        const std::vector<CollectivePart> parts = partsOf(trace, instance, starved, found);
        const trace::Comm& comm = trace.definitions.comms[number];
        const CollectiveParts all(parts);
        if (comm.isInter() && !replay::isOfCommunicators(all[0]->operation))
            intercommunicatorWaits(all, comm.members.size(),
                                   trace.definitions.attributeOfShortage.has_value());
        else
            withinGroup(all);
        if (!comm.isInter()) returns.look(all);
        for (const CollectivePart& part : all) leaveOutOthers(part, trace.locations[part.ref.location]);
    });
    returns.finish(found);
}

extern const Pattern kCollectivesPattern{.metrics = {&kSyncsCollective, &kCommsExchange, &kCommsSource,
                                                     &kCommsDestination, &kBytesOut, &kBytesIn, &kLateMember},
                                         .inLocation = findInLocation,
                                         .book = book,
                                         .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
