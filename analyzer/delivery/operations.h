// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include "analyzer/replay/file_recorder.h"
#include "analyzer/replay/records.h"

/// OTF2's numbers of operations as those of the analysis.
namespace holos::analyzer::delivery {

/// Of all processes of a communicator. Ours are numbered as OTF2's but for those of handles, which are
/// communicators here; what lies behind (allocation) is not analyzed.
inline replay::Collective collectiveOperation(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
            return replay::Collective::CommCreate;
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
            return replay::Collective::CommFree;
        default:
            return operation <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK
                       ? static_cast<replay::Collective>(operation)
                       : replay::Collective::Other;
    }
}

/// Of all processes of a window.
inline replay::Collective windowOperation(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_BARRIER:
            return replay::Collective::WinFence;
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
        case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE:
            return replay::Collective::WinCreate;
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
        case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE:
            return replay::Collective::WinFree;
        default:
            return replay::Collective::Other;
    }
}

inline replay::FileOperation fileOperation(OTF2_IoOperationMode mode) {
    switch (mode) {
        case OTF2_IO_OPERATION_MODE_READ:
            return replay::FileOperation::Read;
        case OTF2_IO_OPERATION_MODE_WRITE:
            return replay::FileOperation::Write;
        case OTF2_IO_OPERATION_MODE_FLUSH:
            return replay::FileOperation::Flush;
        default:
            return replay::FileOperation::Other;
    }
}

}  // namespace holos::analyzer::delivery
