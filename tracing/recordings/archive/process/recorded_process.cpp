// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/recorded_process.h"

#include <cerrno>

namespace holos::archive {

/// When it is done, it says how large the definitions are.
bool isOlderThanTheEnd(const tracing::Status& status) {
    const bool isDone = status.ended != 0 || (status.definitionBytes != 0 && status.failure != EPERM);
    return status.isCopied != 0 && !isDone;
}

const std::vector<ChunkPlace>& RecordedProcess::chunksOf(std::uint32_t location) const {
    static const std::vector<ChunkPlace> none;
    const auto found = chunks.find(location);
    return found != chunks.end() ? found->second : none;
}

}  // namespace holos::archive
