// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/recorded_extent.h"

#include <algorithm>

#include "tracing/recordings/archive/events/event_translation.h"

namespace holos::archive {
namespace {

std::optional<std::uint64_t> lastEvent(const TraceProcess& process) {
    std::optional<std::uint64_t> last;
    for (const auto& location : process.locations)
        last = std::max(last, eventsOf(process, location).newest());
    return last;
}

}  // namespace

std::optional<std::uint64_t> orderlyEnd(const RecordedProcess& recorded) {
    if (recorded.seenAlive) return recorded.seenAlive;
    return recorded.status.ended != 0 ? std::optional(recorded.syncs.back().ticks) : std::nullopt;
}

RecordedExtent extentOf(const TraceProcess& process) {
    RecordedExtent extent;
    if (process.recorded == nullptr) return extent;
    const RecordedProcess& recorded = *process.recorded;
    const tracing::Status& status = recorded.status;
    if (!recorded.isWanted || recorded.stop || !recorded.switches.empty()) return extent;
    if (status.ended == 0 && !recorded.seenAlive && !recorded.replaced) extent.seenEnd = recorded.end.at;
    if (status.lostEvents == 0 && status.failure == 0) {
        extent.end = orderlyEnd(recorded);
        if (!extent.end && process.locations.size() > 1) extent.end = lastEvent(process);
        return extent;
    }
    extent.allStopped = status.failure != 0;
    extent.endOfUnrecorded = orderlyEnd(recorded);
    return extent;
}

}  // namespace holos::archive
