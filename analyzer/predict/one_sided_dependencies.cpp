// SPDX-License-Identifier: BSD-3-Clause
//
// One-sided communication: an access epoch ends when its targets have opened their windows, an exposure epoch
// when its origins are through. Locks of windows wait as they did.
#include "analyzer/matching/epochs.h"
#include "analyzer/predict/graph_builder.h"

namespace holos::analyzer::predict {

void GraphBuilder::addOneSided() {
    const auto isAny = [](const replay::LocationTrace& location) { return !location.rma.empty(); };
    if (std::ranges::none_of(run_.trace.locations, isAny)) return;
    const auto enter = [&](const matching::CallRef& call) {
        return call.isKnown() ? enterOf(static_cast<std::uint32_t>(call.location.index()), call.position)
                              : Place{};
    };
    const matching::Epochs epochs = matching::matchEpochs(run_.trace);
    for (const matching::AccessEpoch& access : epochs.accesses) {
        if (!access.complete.isKnown()) continue;
        const auto origin = static_cast<std::uint32_t>(access.complete.location.index());
        for (const matching::AccessEpoch::Target& target : access.targets) {
            if (!target.exposure) continue;
            const matching::Exposure& exposure = epochs.exposures[*target.exposure];
            depend(origin, leaveOf(origin, access.complete.position), enter(exposure.post));
            if (!exposure.wait.isKnown()) continue;
            const auto exposed = static_cast<std::uint32_t>(exposure.wait.location.index());
            depend(exposed, leaveOf(exposed, exposure.wait.position), enter(access.complete));
        }
    }
    for (std::uint32_t i = 0; i < marks_.size(); ++i)
        for (const patterns::Dependency& wait : run_.waits[i].dependencies)
            if (patterns::traitsOf(wait.kind).chain == patterns::Chain::OneSided)
                depend(i, leaveOf(i, wait.waiter.call), enterOf(wait.causer.location, wait.causer.call));
}

}  // namespace holos::analyzer::predict
