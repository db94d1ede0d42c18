// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_gain.h"

#include <algorithm>

#include "algebra/insight/summary/shared_work.h"

namespace holos::algebra {

namespace {

/// What others get of work that is shared out among all.
double partOfOthers(const Spread& spread, std::size_t members) {
    return 1 - static_cast<double>(spread.members.size()) / static_cast<double>(members);
}

/// What those who are late do beyond the others in places of their own, of which other problems tell.
double beyondElsewhere(const LateWorkers& workers, const CausedWaits& waits, const Spread& spread) {
    if (!workers.path() || workers.isWithoutOthers() || waits.rule().problem != nullptr) return 0;
    const std::vector<double> told = workers.place().toldElsewhere(workers.work(), *workers.path());
    const LateWork work = lateWorkOf(spread, workers.members(told));
    return std::max(0.0, work.theirs - work.others);
}

}  // namespace

/// What those who are late do there beyond the others, if they are late at the same time; if one is late now
/// and another then, all others wait for one at a time, which is more. Nor can a run become shorter by more
/// than is waited.
double gainOfLate(const LateWorkers& workers, const CausedWaits& waits, const Spread& spread,
                  const std::vector<Member>& members, const LateIdleness& idleness) {
    const double cost = workers.place().cost();
    const double others = static_cast<double>(std::max<std::size_t>(2, members.size())) - 1;
    // Others can take over work alone.
    double mostOfWork = idleness.offProcessors > 0
                            ? std::max(0.0, spread.theirs - idleness.offProcessors - spread.others) *
                                  partOfOthers(spread, members.size())
                            : cost;
    if (!idleness.isAsleep && waits.rule().problem == nullptr && workers.path())
        mostOfWork = std::min(mostOfWork, gainOfSharedWork(workers, spread));
    if (spread.shape == Spread::Shape::Even || spread.members.empty())
        return std::min(mostOfWork, cost / others);
    double beyond = std::max(0.0, spread.theirs - spread.others - beyondElsewhere(workers, waits, spread));
    // Several have all of the work that is done there: shared out among all, it does not vanish. Sleep does.
    if (!idleness.isAsleep && spread.members.size() > 1 && spread.others <= kAloneBelow * spread.theirs)
        beyond *= partOfOthers(spread, members.size());
    const double most = std::min({std::max(waits.ofRule() / others, beyond), cost, mostOfWork});
    // Messages may move earlier, and tasks be divided, without less work. What is named otherwise is an
    // excess, of each of those who are late, and nobody gains more by giving it up.
    return waits.rule().problem != nullptr
               ? most
               : std::min(most, beyond * static_cast<double>(spread.members.size()));
}

}  // namespace holos::algebra
