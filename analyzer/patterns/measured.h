// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::patterns {

/// The metrics that patterns measure. Times are in ticks. Each has its text in its pattern's file.
enum class Measured : std::uint8_t {
    LateSender,
    LateSenderWrongOrder,
    WrongOrderDifferent,
    WrongOrderSame,
    LateReceiver,
    BarrierWait,
    BarrierCompletion,
    WaitNxN,
    NxNCompletion,
    LateBroadcast,
    EarlyReduce,
    EarlyScan,
    NonblockingBarrier,     ///< the part of completing calls that waits for a barrier; not a metric itself
    NonblockingCollective,  ///< the same, for other collective operations
    NonblockingFile,        ///< the same, for collective operations on files
    NonblockingRma,         ///< the same, for one-sided operations
    InitCompletion,
    FinalizeWait,
    OmpManagement,
    OmpFork,
    OmpExplicitBarrierWait,
    OmpImplicitBarrierWait,
    LockContentionCritical,
    LockContentionApi,
    LockContentionMutex,
    LockContentionCondition,
    ConditionSignalWait,
    SyncsSend,
    SyncsLateReceiver,
    SyncsReceive,
    SyncsLateSender,
    SyncsWrongOrder,
    SyncsCollective,
    CommsSend,
    CommsLateReceiver,
    CommsReceive,
    CommsLateSender,
    CommsWrongOrder,
    CommsExchange,
    CommsSource,
    CommsDestination,
    BytesSent,
    BytesReceived,
    BytesOut,
    BytesIn,
    RmaWaitAtCreate,
    RmaWaitAtFree,
    RmaWaitAtFence,
    RmaEarlyFence,
    RmaSyncLatePost,
    RmaEarlyWait,
    RmaLateComplete,
    RmaSyncLock,
    RmaSyncProgress,
    RmaCommLatePost,
    RmaCommLock,
    RmaCommProgress,
    BytesPut,
    BytesGet,
    FileManagementWait,
    FileTransferWait,
    MpiFileBytesRead,
    MpiFileBytesWritten,
    FileBytesRead,
    FileBytesWritten,
    Count
};

/// What users read about a metric.
struct MetricText {
    const char* uniqueName;  ///< Scalasca's where it has the metric
    const char* displayName;
    const char* unit;  ///< `sec`, `occ` or `bytes`
    const char* description;
};
/// From the files of the patterns.
const MetricText& textOf(Measured metric);

/// A sum that does not leave the language's rules when a damaged trace has absurd numbers.
inline std::int64_t wrappingSum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Whole numbers per metric and call path of one location. Sums do not depend on the order of addition.
class LocalSeverities {
  public:
    void add(Measured metric, replay::NodeId node, std::int64_t value) {
        if (value == 0) return;
        auto& values = values_[static_cast<std::size_t>(metric)];
        if (values.size() <= node.index()) values.resize(node.index() + 1, 0);
        values[node.index()] = wrappingSum(values[node.index()], value);
    }
    /// By node; shorter than the tree where the rest is zero.
    const std::vector<std::int64_t>& values(Measured metric) const {
        return values_[static_cast<std::size_t>(metric)];
    }

  private:
    std::array<std::vector<std::int64_t>, static_cast<std::size_t>(Measured::Count)> values_;
};

}  // namespace holos::analyzer::patterns
