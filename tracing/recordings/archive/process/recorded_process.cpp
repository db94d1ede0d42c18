// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/recorded_process.h"

#include <algorithm>
#include <cerrno>

namespace holos::archive {
namespace {

std::uint64_t difference(std::int64_t end, std::int64_t begin) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(end - begin, 0));
}

}  // namespace

std::optional<ProcessorTime> processorTimeOf(const std::vector<RecordedProcessorTime>& recorded,
                                             bool isFirst) {
    if (recorded.size() < (isFirst ? 2 : 1)) return std::nullopt;
    const RecordedProcessorTime begin = isFirst ? recorded.front() : RecordedProcessorTime{0, 0};
    const RecordedProcessorTime& end = recorded.back();
    if (end.on < 0) return std::nullopt;
    ProcessorTime time{difference(end.on, begin.on), std::nullopt};
    if (begin.waiting >= 0 && end.waiting >= 0) time.waiting = difference(end.waiting, begin.waiting);
    return time;
}

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
