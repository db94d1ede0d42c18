// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/processor_time.h"

#include <algorithm>

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

}  // namespace holos::archive
