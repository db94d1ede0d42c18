// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

using patterns::Dependency;
using replay::RecordRef;

DependencyPoints::DependencyPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                   Rules rules)
    : trace_(run.trace),
      waits_(run.waits),
      merged_(merged),
      rules_(rules),
      causes_(run.trace.locations.size()) {
    for (std::uint32_t i = 0; i < waits_.size(); ++i)
        for (std::uint32_t j = 0; j < waits_[i].dependencies.size(); ++j)
            if (const Dependency& dependency = waits_[i].dependencies[j]; counts(dependency))
                causes_[dependency.causer.location].push_back({i, j});
}

/// Nobody is to blame for waiting for oneself.
bool DependencyPoints::counts(const Dependency& dependency) const {
    return dependency.causer.location != dependency.waiter.location && !dependency.isExplained &&
           (dependency.isKnownToScalasca || !rules_.asScalasca);
}

void DependencyPoints::collect(std::uint32_t location, Records<Point>& points) const {
    points.reserve(points.size() + waits_[location].dependencies.size() + causes_[location].size());
    for (const Dependency& dependency : waits_[location].dependencies)
        if (counts(dependency)) points.push_back(waiter(dependency));
    for (const RecordRef dependency : causes_[location]) points.push_back(causer((*this)[dependency]));
}

Point DependencyPoints::point(const patterns::End& end, const patterns::End& other) const {
    Point point;
    point.event = end.event;
    point.before = end.leave - end.begin;
    point.slice = end.slice;
    point.path = pathOf(merged_, end.location, end.node);
    point.process = static_cast<std::uint32_t>(trace_.definitions.locations[other.location].process.index());
    return point;
}

Point DependencyPoints::waiter(const Dependency& dependency) const {
    Point waiter = point(dependency.waiter, dependency.causer);
    waiter.kind = dependency.kind;
    waiter.wait = dependency.wait;
    waiter.before = std::min(waiter.before, waiter.wait);
    return waiter;
}

Point DependencyPoints::causer(const Dependency& dependency) const {
    const patterns::End& end = dependency.causer;
    Point causer = point(end, dependency.waiter);
    causer.isInBarrier = end.isInBarrier;
    if (end.leave > end.begin) causer.before -= std::max<Ticks>(0, end.leave - dependency.waiter.leave);
    return causer;
}

void DependencyPoints::connect(Points& points) const {
    for (std::uint32_t causer = 0; causer < causes_.size(); ++causer) connectCausesOf(causer, points);
}

/// Very many may wait for one event. Their points at the causer are in the order of `causes_`, so that the
/// first that is free is the one looked for.
void DependencyPoints::connectCausesOf(std::uint32_t causer, Points& points) const {
    std::vector<RecordRef> byEvent = causes_[causer];
    std::ranges::stable_sort(
        byEvent, [&](RecordRef a, RecordRef b) { return (*this)[a].causer.event < (*this)[b].causer.event; });
    const auto isFree = [](const Point& point) {
        return point.kind == Kind::Peer && point.partner.location == kNone;
    };
    const PointList& list = points.byLocation[causer];
    auto free = list.others().begin();
    for (const RecordRef ref : byEvent) {
        const Dependency& dependency = (*this)[ref];
        free = std::find_if(free, list.others().end(), [&](const Point& point) {
            return point.event >= dependency.causer.event && isFree(point);
        });
        const auto process = trace_.definitions.locations[ref.location].process.index();
        const auto found = std::find_if(free, list.others().end(), [&](const Point& point) {
            return isFree(point) && point.process == process;
        });
        const PointRef cause{causer,
                             list.positionOfOther(static_cast<std::uint32_t>(found - list.others().begin()))};
        const PointRef wait{ref.location, points.byLocation[ref.location].find(
                                              dependency.waiter.event, [&](const Point& point) {
                                                  return point.kind == dependency.kind;
                                              })};
        points.other(wait).partner = cause;
        points.other(cause).partner = wait;
    }
}

}  // namespace holos::analyzer::causes
