// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/measured.h"

namespace holos::analyzer::patterns {

/// Defined in the files of the patterns, so that a pattern and its words stand in one place.
extern const MetricText kLateSenderText;
extern const MetricText kLateSenderWrongOrderText;
extern const MetricText kWrongOrderDifferentText;
extern const MetricText kWrongOrderSameText;
extern const MetricText kLateReceiverText;
extern const MetricText kBarrierWaitText;
extern const MetricText kBarrierCompletionText;
extern const MetricText kWaitNxNText;
extern const MetricText kNxNCompletionText;
extern const MetricText kLateBroadcastText;
extern const MetricText kEarlyReduceText;
extern const MetricText kEarlyScanText;
extern const MetricText kInitCompletionText;
extern const MetricText kFinalizeWaitText;
extern const MetricText kOmpManagementText;
extern const MetricText kOmpForkText;
extern const MetricText kOmpExplicitBarrierWaitText;
extern const MetricText kOmpImplicitBarrierWaitText;
extern const MetricText kLockContentionCriticalText;
extern const MetricText kLockContentionApiText;
extern const MetricText kLockContentionMutexText;
extern const MetricText kLockContentionConditionText;
extern const MetricText kConditionSignalWaitText;
extern const MetricText kSyncsSendText;
extern const MetricText kSyncsLateReceiverText;
extern const MetricText kSyncsReceiveText;
extern const MetricText kSyncsLateSenderText;
extern const MetricText kSyncsWrongOrderText;
extern const MetricText kSyncsCollectiveText;
extern const MetricText kCommsSendText;
extern const MetricText kCommsLateReceiverText;
extern const MetricText kCommsReceiveText;
extern const MetricText kCommsLateSenderText;
extern const MetricText kCommsWrongOrderText;
extern const MetricText kCommsExchangeText;
extern const MetricText kCommsSourceText;
extern const MetricText kCommsDestinationText;
extern const MetricText kBytesSentText;
extern const MetricText kBytesReceivedText;
extern const MetricText kBytesOutText;
extern const MetricText kBytesInText;
extern const MetricText kRmaWaitAtCreateText;
extern const MetricText kRmaWaitAtFreeText;
extern const MetricText kRmaWaitAtFenceText;
extern const MetricText kRmaEarlyFenceText;
extern const MetricText kRmaSyncLatePostText;
extern const MetricText kRmaEarlyWaitText;
extern const MetricText kRmaLateCompleteText;
extern const MetricText kRmaSyncLockText;
extern const MetricText kRmaSyncProgressText;
extern const MetricText kRmaCommLatePostText;
extern const MetricText kRmaCommLockText;
extern const MetricText kRmaCommProgressText;
extern const MetricText kBytesPutText;
extern const MetricText kBytesGetText;
extern const MetricText kFileManagementWaitText;
extern const MetricText kFileTransferWaitText;
extern const MetricText kMpiFileBytesReadText;
extern const MetricText kMpiFileBytesWrittenText;
extern const MetricText kFileBytesReadText;
extern const MetricText kFileBytesWrittenText;

}  // namespace holos::analyzer::patterns
