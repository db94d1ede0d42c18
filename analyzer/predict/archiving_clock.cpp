// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/archiving_clock.h"

namespace holos::analyzer::predict {

/// The call path that has the time until the event has that until those before it, too.
Ticks ArchivingClock::at(std::uint64_t event, Ticks recorded, NodeId node) {
    copy_->copyBefore(event, [&](Ticks time) { return clock_.at(event, std::min(time, recorded), node); });
    const Ticks time = clock_.at(event, recorded, node);
    copy_->copyBefore(event + 1, [time](Ticks) { return time; });
    return time;
}

std::uint64_t ArchivingClock::finish() {
    return copy_->finish([this](Ticks recorded) { return clock_.later(recorded); });
}

}  // namespace holos::analyzer::predict
