// SPDX-License-Identifier: BSD-3-Clause
//
// Which pattern belongs to which collective operation, and the counts of operations and bytes.
//
//   rank 0  ──┤ Bcast, sends 16 bytes ├──       comms_csrc + 1, bytes_cout + 16
//   rank 1  ──┤ Bcast, receives 4     ├──       comms_cdst + 1, bytes_cin + 4
//
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kSyncsCollectiveText{
    "syncs_coll", "Collective", "occ",
    "Number of collective operations in which this process moves no bytes."};
const MetricText kCommsExchangeText{
    "comms_cxch", "Collective as source & destination", "occ",
    "Number of collective operations in which this process sends and receives."};
const MetricText kCommsSourceText{"comms_csrc", "Collective as source", "occ",
                                  "Number of collective operations in which this process only sends."};
const MetricText kCommsDestinationText{
    "comms_cdst", "Collective as destination", "occ",
    "Number of collective operations in which this process only receives."};
const MetricText kBytesOutText{"bytes_cout", "Outgoing", "bytes",
                               "Bytes that this process sends in collective operations."};
const MetricText kBytesInText{"bytes_cin", "Incoming", "bytes",
                              "Bytes that this process receives in collective operations."};

namespace {

using replay::Collective;

struct WaitMetrics {
    Measured wait = Measured::Count;
    Measured completion = Measured::Count;
};

WaitMetrics metricsOf(Collective operation) {
    switch (operation) {
        case Collective::Barrier:
            return {Measured::BarrierWait, Measured::BarrierCompletion};
        case Collective::Allgather:
        case Collective::Allgatherv:
        case Collective::Allreduce:
        case Collective::Alltoall:
        case Collective::ReduceScatter:
        case Collective::ReduceScatterBlock:
            return {Measured::WaitNxN, Measured::NxNCompletion};
        case Collective::Alltoallv:
        case Collective::Alltoallw:
            return {Measured::WaitNxN, Measured::Count};
        case Collective::Bcast:
        case Collective::Scatter:
        case Collective::Scatterv:
            return {Measured::LateBroadcast, Measured::Count};
        case Collective::Reduce:
        case Collective::Gather:
        case Collective::Gatherv:
            return {Measured::EarlyReduce, Measured::Count};
        case Collective::Scan:
        case Collective::Exscan:
            return {Measured::EarlyScan, Measured::Count};
        case Collective::WinCreate:
            return {Measured::RmaWaitAtCreate, Measured::Count};
        case Collective::WinFree:
            return {Measured::RmaWaitAtFree, Measured::Count};
        case Collective::WinFence:
            return {Measured::RmaWaitAtFence, Measured::Count};
        case Collective::FileOpen:
        case Collective::FileClose:
        case Collective::FileSync:
        case Collective::FileChange:
            return {Measured::FileManagementWait, Measured::Count};
        case Collective::FileTransfer:
        case Collective::FileTransferInOrder:
            return {Measured::FileTransferWait, Measured::Count};
        default:
            return {};
    }
}

/// The wait of a call that has its time elsewhere, since it completes operations of any kind.
Measured nonblockingPart(const replay::CollectiveRecord& record, trace::CallKind call) {
    if (!record.isNonblocking() || call == trace::CallKind::FileEnd) return Measured::Count;
    if (metricsOf(record.operation).wait == Measured::FileTransferWait) return Measured::NonblockingFile;
    return record.operation == Collective::Barrier ? Measured::NonblockingBarrier
                                                   : Measured::NonblockingCollective;
}

}  // namespace

Measured waitMetricOf(Collective operation) {
    return metricsOf(operation).wait;
}

void collectiveWaits(matching::CollectiveInstance instance) {
    if (instance.size() < 2) return;
    switch (metricsOf(instance[0]->operation).wait) {
        case Measured::BarrierWait:
            barrierWaits(instance);
            break;
        case Measured::WaitNxN:
            if (metricsOf(instance[0]->operation).completion == Measured::Count)
                exchangeWaits(instance, instance);
            else
                nToNWaits(instance);
            break;
        case Measured::LateBroadcast:
            lateBroadcast(instance);
            break;
        case Measured::EarlyReduce:
            earlyReduce(instance);
            break;
        case Measured::EarlyScan:
            earlyScan(instance);
            break;
        case Measured::RmaWaitAtCreate:
        case Measured::RmaWaitAtFree:
        case Measured::RmaWaitAtFence:
            windowWaits(instance);
            break;
        case Measured::FileManagementWait:
        case Measured::FileTransferWait:
            fileWaits(instance);
            break;
        default:
            break;
    }
}

void bookCollectives(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const replay::CollectiveRecord& record : location.messages.collectives) {
        if (record.operation == Collective::Other) continue;  // a nonblocking one that did not complete
        const WaitMetrics metrics = metricsOf(record.operation);
        const Measured part = nonblockingPart(record, location.messages.calls[record.call].kind);
        if (part != Measured::Count) severities.add(part, record.node, record.wait);
        if (metrics.wait != Measured::Count) severities.add(metrics.wait, record.node, record.wait);
        if (metrics.completion != Measured::Count)
            severities.add(metrics.completion, record.node, record.completion);
        if (record.operation > Collective::Other)
            continue;  // of windows and files, which are not counted here
        const Measured count =
            record.sent == 0 ? record.received == 0 ? Measured::SyncsCollective : Measured::CommsDestination
            : record.received == 0 ? Measured::CommsSource
                                   : Measured::CommsExchange;
        severities.add(count, record.node, 1);
        severities.add(Measured::BytesOut, record.node, static_cast<std::int64_t>(record.sent));
        severities.add(Measured::BytesIn, record.node, static_cast<std::int64_t>(record.received));
    }
}

}  // namespace holos::analyzer::patterns
