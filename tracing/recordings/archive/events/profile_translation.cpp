// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/profile_translation.h"

#include <algorithm>

#include "tracing/recordings/archive/events/recorded_extent.h"

namespace holos::archive {
namespace {

using tracing::profile::Node;
using tracing::profile::NodeKind;
using tracing::profile::Way;

static_assert(ProfiledWay::kFromAny == Way::kFromAny);

ProfiledPath::Kind kindOf(NodeKind kind) {
    switch (kind) {
        case NodeKind::Root:
            return ProfiledPath::Kind::Root;
        case NodeKind::Share:
            return ProfiledPath::Kind::Share;
        case NodeKind::Task:
            return ProfiledPath::Kind::Task;
        case NodeKind::Off:
            return ProfiledPath::Kind::Off;
        case NodeKind::Flush:
            return ProfiledPath::Kind::Flush;
        case NodeKind::Region:
            break;
    }
    return ProfiledPath::Kind::Region;
}

LocationProfile::Kind kindOf(const RecordedProcess& process, std::uint32_t location) {
    const auto known = process.locations.find(location);
    if (known == process.locations.end()) return LocationProfile::Kind::Thread;
    switch (known->second.kind) {
        case tracing::LocationKind::Main:
            return LocationProfile::Kind::Main;
        case tracing::LocationKind::Place:
            return LocationProfile::Kind::Place;
        default:
            return LocationProfile::Kind::Thread;
    }
}

}  // namespace

ProfileTranslation::ProfileTranslation(const TracePlan& plan, const TraceProcess& process,
                                       const TraceLocation& location, const HostClock& clock,
                                       LocationContexts& contexts)
    : plan_(plan),
      process_(process),
      location_(location),
      clock_(clock),
      isMaster_(location.id == process.rank),
      cells_(readProfileCells(*process.recorded, location.ref, process.recorded->counters.size())),
      contexts_(contexts) {
    result_.damaged = cells_.isDamaged;
    result_.first = result_.last = clock.nanoseconds(process.recorded->syncs.front().ticks);
}

std::int64_t ProfileTranslation::duration(std::uint64_t ticks) const {
    return clock_.nanoseconds(clock_.origin().ticks + ticks) - clock_.nanoseconds(clock_.origin().ticks);
}

std::uint64_t ProfileTranslation::locationId(std::uint32_t ref) const {
    const auto found = std::ranges::find_if(
        process_.locations, [ref](const TraceLocation& one) { return one.ref == ref && !one.isSamples; });
    return found != process_.locations.end() ? found->id : process_.rank;
}

ProfiledPath ProfileTranslation::translate(const ProfileCells::Counted<Node>& node) {
    const Node& cell = node.cell;
    ProfiledPath path;
    path.kind = kindOf(cell.key.kind);
    path.parent = cell.parent;
    if (cell.key.kind == NodeKind::Region) {
        const auto region = process_.regions.find(cell.key.first);
        if (!region) ++result_.dropped;
        if (region && *region != TracePlan::kFilteredOut) path.region = *region;
    }
    if (cell.key.kind == NodeKind::Region || cell.key.kind == NodeKind::Share)
        path.context = contexts_.ofPath(cell.key.second);
    if (cell.key.kind == NodeKind::Share) {
        path.master = locationId(cell.key.first);
        path.forkedIn = cell.key.third;
    }
    if (cell.key.kind == NodeKind::Flush) {
        path.from = cell.key.first;
        path.to = cell.key.second;
        path.isBesideFork = cell.key.third != 0;
    }
    path.visits = cell.visits;
    path.own = duration(cell.own);
    path.after = duration(cell.after);
    path.ended = cell.ended;
    if (cell.ended != 0) {
        constexpr double kUpperWord = 18446744073709551616.0;
        constexpr double kSecondsPerNanosecond = 1e-9;
        constexpr std::uint64_t kMany = 1'000'000'000;
        const double seconds =
            static_cast<double>(duration(kMany)) / static_cast<double>(kMany) * kSecondsPerNanosecond;
        path.shortest = duration(cell.least);
        path.longest = duration(cell.most);
        path.squares =
            (static_cast<double>(cell.squares[1]) * kUpperWord + static_cast<double>(cell.squares[0])) *
            seconds * seconds;
    }
    path.counters = node.counters;
    return path;
}

ProfiledWay ProfileTranslation::translate(const ProfileCells::Counted<Way>& way) const {
    return {
        way.cell.from,  way.cell.to, way.cell.times, duration(way.cell.ticks), duration(way.cell.sinceFork),
        way.cell.forks, way.counters};
}

/// The program began before the first event and ended after the last one; regions that are open went on until
/// then.
void ProfileTranslation::extend(ProfiledPath& root, ProfiledPath& current, std::uint64_t lastOfProcess) {
    const RecordedProcess& recorded = *process_.recorded;
    const std::uint64_t begin = recorded.syncs.front().ticks;
    const std::uint64_t first = cells_.state->first != 0 ? cells_.state->first : begin;
    const std::uint64_t last = std::max(first, cells_.state->last);
    const bool isComplete = recorded.status.lostEvents == 0 && recorded.status.failure == 0;
    std::uint64_t end = last;
    if (isMaster_ && recorded.status.ended != 0)
        end = recorded.syncs.back().ticks;
    else if (isComplete)
        end = orderlyEnd(recorded).value_or(lastOfProcess);
    const bool goesOn =
        isMaster_ || (current.kind != ProfiledPath::Kind::Root && current.kind != ProfiledPath::Kind::Off);
    if (isMaster_ && first > begin && cells_.state->since == 0) root.own += duration(first - begin);
    if (goesOn && end > last) current.own += duration(end - last);
    result_.first = clock_.nanoseconds(isMaster_ ? begin : first);
    result_.last = clock_.nanoseconds(goesOn ? std::max(last, end) : last);
}

/// Its process was ended by others: between the last event and that end nobody knows what it did.
void ProfileTranslation::addUnknownTime(LocationProfile& profile) {
    const auto seenEnd = extentOf(process_).seenEnd;
    const ProfiledPath& current = profile.paths[cells_.state->node];
    const bool isThere = isMaster_ || current.kind != ProfiledPath::Kind::Root;
    if (!seenEnd || !isThere || *seenEnd <= result_.last) return;
    result_.unknownTime = *seenEnd - result_.last;
    ProfiledPath unknown;
    unknown.kind = ProfiledPath::Kind::Region;
    unknown.parent = cells_.state->node;
    unknown.region = plan_.noMoreEvents;
    unknown.visits = 1;
    unknown.own = result_.unknownTime;
    unknown.counters.resize(current.counters.size());
    profile.paths.push_back(std::move(unknown));
    result_.last = *seenEnd;
}

void ProfileTranslation::noteOpen() {
    for (const std::uint32_t node : cells_.open()) {
        const tracing::profile::Key& key = cells_.nodes[node].cell.key;
        const auto region = process_.regions.find(key.first);
        result_.lastRegion.reset();
        if (key.kind != NodeKind::Region || !region || *region == TracePlan::kFilteredOut) continue;
        result_.open.push_back(*region);
        result_.lastRegion = {*region, contexts_.ofPath(key.second)};
    }
}

LocationProfile ProfileTranslation::run(std::uint64_t lastOfProcess) {
    LocationProfile profile;
    profile.location = location_.id;
    profile.kind = kindOf(*process_.recorded, location_.ref);
    if (!process_.recorded->counters.empty()) profile.counterSet = process_.counterSet;
    if (isMaster_) profile.program = plan_.programs[process_.program];
    if (!cells_.isUsable()) return profile;
    for (const auto& node : cells_.nodes) profile.paths.push_back(translate(node));
    for (const auto& way : cells_.ways) profile.ways.push_back(translate(way));
    for (const auto& traffic : cells_.traffic)
        profile.paths[traffic.node].traffic.assign(std::begin(traffic.counts), std::end(traffic.counts));
    ProfiledPath& current = profile.paths[cells_.state->node];
    for (std::size_t i = 0; i < cells_.pending.size(); ++i) current.counters[i] += cells_.pending[i];
    extend(profile.paths.front(), current, lastOfProcess);
    noteOpen();
    addUnknownTime(profile);
    return profile;
}

}  // namespace holos::archive
