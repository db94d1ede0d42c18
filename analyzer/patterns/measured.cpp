// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/measured.h"

#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText& textOf(Measured metric) {
    switch (metric) {
        case Measured::LateSender:
            return kLateSenderText;
        case Measured::LateSenderWrongOrder:
            return kLateSenderWrongOrderText;
        case Measured::WrongOrderDifferent:
            return kWrongOrderDifferentText;
        case Measured::WrongOrderSame:
            return kWrongOrderSameText;
        case Measured::LateReceiver:
            return kLateReceiverText;
        case Measured::BarrierWait:
            return kBarrierWaitText;
        case Measured::BarrierCompletion:
            return kBarrierCompletionText;
        case Measured::WaitNxN:
            return kWaitNxNText;
        case Measured::NxNCompletion:
            return kNxNCompletionText;
        case Measured::LateBroadcast:
            return kLateBroadcastText;
        case Measured::EarlyReduce:
            return kEarlyReduceText;
        case Measured::EarlyScan:
            return kEarlyScanText;
        case Measured::InitCompletion:
            return kInitCompletionText;
        case Measured::FinalizeWait:
            return kFinalizeWaitText;
        case Measured::OmpManagement:
            return kOmpManagementText;
        case Measured::OmpFork:
            return kOmpForkText;
        case Measured::OmpExplicitBarrierWait:
            return kOmpExplicitBarrierWaitText;
        case Measured::OmpImplicitBarrierWait:
            return kOmpImplicitBarrierWaitText;
        case Measured::LockContentionCritical:
            return kLockContentionCriticalText;
        case Measured::LockContentionApi:
            return kLockContentionApiText;
        case Measured::LockContentionMutex:
            return kLockContentionMutexText;
        case Measured::LockContentionCondition:
            return kLockContentionConditionText;
        case Measured::SyncsSend:
            return kSyncsSendText;
        case Measured::SyncsLateReceiver:
            return kSyncsLateReceiverText;
        case Measured::SyncsReceive:
            return kSyncsReceiveText;
        case Measured::SyncsLateSender:
            return kSyncsLateSenderText;
        case Measured::SyncsWrongOrder:
            return kSyncsWrongOrderText;
        case Measured::SyncsCollective:
            return kSyncsCollectiveText;
        case Measured::CommsSend:
            return kCommsSendText;
        case Measured::CommsLateReceiver:
            return kCommsLateReceiverText;
        case Measured::CommsReceive:
            return kCommsReceiveText;
        case Measured::CommsLateSender:
            return kCommsLateSenderText;
        case Measured::CommsWrongOrder:
            return kCommsWrongOrderText;
        case Measured::CommsExchange:
            return kCommsExchangeText;
        case Measured::CommsSource:
            return kCommsSourceText;
        case Measured::CommsDestination:
            return kCommsDestinationText;
        case Measured::BytesSent:
            return kBytesSentText;
        case Measured::BytesReceived:
            return kBytesReceivedText;
        case Measured::BytesOut:
            return kBytesOutText;
        case Measured::BytesIn:
            return kBytesInText;
        case Measured::RmaWaitAtCreate:
            return kRmaWaitAtCreateText;
        case Measured::RmaWaitAtFree:
            return kRmaWaitAtFreeText;
        case Measured::RmaWaitAtFence:
            return kRmaWaitAtFenceText;
        case Measured::RmaEarlyFence:
            return kRmaEarlyFenceText;
        case Measured::RmaSyncLatePost:
            return kRmaSyncLatePostText;
        case Measured::RmaEarlyWait:
            return kRmaEarlyWaitText;
        case Measured::RmaLateComplete:
            return kRmaLateCompleteText;
        case Measured::RmaSyncLock:
            return kRmaSyncLockText;
        case Measured::RmaSyncProgress:
            return kRmaSyncProgressText;
        case Measured::RmaCommLatePost:
            return kRmaCommLatePostText;
        case Measured::RmaCommLock:
            return kRmaCommLockText;
        case Measured::RmaCommProgress:
            return kRmaCommProgressText;
        case Measured::BytesPut:
            return kBytesPutText;
        case Measured::BytesGet:
            return kBytesGetText;
        case Measured::FileManagementWait:
            return kFileManagementWaitText;
        case Measured::FileTransferWait:
            return kFileTransferWaitText;
        case Measured::FileBytesRead:
            return kFileBytesReadText;
        case Measured::FileBytesWritten:
            return kFileBytesWrittenText;
        case Measured::NonblockingBarrier:
        case Measured::NonblockingCollective:
        case Measured::NonblockingFile:
        case Measured::Count:
            break;
    }
    static const MetricText kNothing{"", "", "", ""};
    return kNothing;
}

}  // namespace holos::analyzer::patterns
