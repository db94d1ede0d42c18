// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_wait_places.h"

#include <algorithm>

#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

std::optional<trace::LocationId> TimelineWaitPlaces::named(const std::string& name) const {
    const auto found = locations_.find(QString::fromStdString(name));
    return found == locations_.end() ? std::nullopt : std::optional(trace::LocationId(found->second));
}

std::optional<TimelineWait> TimelineWaitPlaces::of(const algebra::WaitInstance& instance,
                                                   const DefinitionsPtr& trace) {
    if (namesOf_ != trace) {
        namesOf_ = trace;
        locations_.clear();
        for (std::size_t at = 0; at < trace->locations.size(); ++at)
            locations_.emplace(traceLocationName(*trace, trace::LocationId(at)), at);
    }
    const auto location = named(instance.location);
    if (!location) return std::nullopt;
    const auto ticks = [&trace](double seconds) {
        return static_cast<Ticks>(seconds * static_cast<double>(trace->clock.ticksPerSecond));
    };
    const Ticks begin = ticks(instance.begin);
    return TimelineWait{*location, begin, begin + std::max<Ticks>(1, ticks(instance.wait)),
                        named(instance.awaited)};
}

}  // namespace holos::gui
