// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/profile/table_replay.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace holos::analyzer::profile {

using replay::kByName;
using replay::kOutside;
using replay::kProgram;
using Kind = ProfiledPath::Kind;
using trace::ContextId;
using trace::kNoContext;
using trace::RegionId;
using trace::Special;

TableReplay::TableReplay(const trace::Definitions& definitions,
                         const std::vector<trace::RegionClass>& classes, trace::LocationId self,
                         const LocationProfile& table)
    : definitions_(definitions),
      classes_(classes),
      self_(self),
      table_(table),
      paths_(definitions, classes, tree_),
      frames_(definitions) {}

ContextId TableReplay::contextOf(std::uint32_t reference) const {
    if (reference == ProfiledPath::kNone) return kNoContext;
    return definitions_.callingContextOf.findOr(reference, kNoContext);
}

TableReplay::Place TableReplay::rootPlace() {
    Place place;
    place.node = kOutside;
    if (table_.kind == LocationProfile::Kind::Main) {
        place.node = kProgram;
        tree_[kProgram].visits = 1;
    } else if (table_.kind == LocationProfile::Kind::Thread) {
        place.node = tree_.child(kProgram, trace::kThreadsRegion, classes_);
    }
    return place;
}

void TableReplay::place(const FindOrigin& findOrigin) {
    places_.reserve(table_.paths.size());
    for (const ProfiledPath& path : table_.paths) {
        if (places_.empty()) {
            places_.push_back(rootPlace());
            continue;
        }
        const Place parent = places_[path.parent];
        Place place = parent;
        place.from = kNoContext;
        switch (path.kind) {
            case Kind::Root:
            case Kind::Task:
                break;
            case Kind::Share:
                place = placeShare(path, parent, findOrigin);
                break;
            case Kind::Off:
                place.node = tree_.child(parent.node, trace::kOffRegion, classes_);
                place.known = kByName;
                break;
            case Kind::Flush:
                place.node = tree_.child(stayOf(path, parent), trace::kFlushRegion, classes_);
                place.known = kByName;
                break;
            case Kind::Region:
                place = placeRegion(path, parent, table_.paths[path.parent].kind);
                break;
        }
        places_.push_back(place);
    }
}

/// The innermost function in which the location may have stayed while its recorder wrote.
NodeId TableReplay::stayOf(const ProfiledPath& flush, const Place& parent) {
    if (flush.to == 0 || flush.to >= places_.size()) return parent.node;
    const Place& to = places_[flush.to];
    const ProfiledPath& next = table_.paths[flush.to];
    const Kind parentKind = table_.paths[flush.parent].kind;
    const bool isInParent = next.kind == Kind::Region && next.parent == flush.parent && to.isPresent;
    if (!isInParent || parentKind == Kind::Task) return parent.node;
    if (flush.isBesideFork) return tree_[to.node].parent;
    if (to.from == kNoContext || parentKind == Kind::Share) return parent.node;
    return stayBetween(flush.from, flush.to,
                       paths_.of(parent.node, parent.known, definitions_[to.from].frame));
}

/// The innermost function that may not have returned between a path and the next one, which `caller` called.
NodeId TableReplay::stayBetween(std::uint32_t from, std::uint32_t to, NodeId caller) {
    const std::uint32_t parent = table_.paths[to].parent;
    const bool isSibling = from < places_.size() && from != parent && places_[from].isPresent;
    if (!isSibling) return places_[parent].node;
    return frames_.stay(tree_, {places_[from].node, places_[from].from, places_[parent].node}, caller,
                        places_[to].from);
}

TableReplay::Place TableReplay::placeShare(const ProfiledPath& path, const Place& parent,
                                           const FindOrigin& findOrigin) {
    Place place = parent;
    place.known = kByName;
    place.from = kNoContext;
    const auto origin = findOrigin(path.master, path.forkedIn, contextOf(path.context));
    place.node = origin ? tree_.adopt(*origin) : kOutside;
    place.share.reset();
    if (!origin) return place;
    place.share = shares_.size();
    shares_.push_back({*origin, kOutside});
    return place;
}

std::optional<replay::Origin> TableReplay::originOf(std::uint32_t path, ContextId region) {
    if (path >= places_.size()) return {};
    const Place& place = places_[path];
    if (region == kNoContext) return replay::Origin{self_, place.node};
    const trace::CallingContext& call = definitions_[region];
    return replay::Origin{self_, paths_.of(place.node, place.known, call.frame), call.site};
}

TableReplay::Place TableReplay::placeRegion(const ProfiledPath& path, const Place& parent, Kind parentKind) {
    Place place = parent;
    const auto known =
        path.region == ProfiledPath::kNone ? std::nullopt : definitions_.regionOf.find(path.region);
    place.isPresent = known.has_value();
    if (!known) return place;
    if (parentKind == Kind::Task) return placeTask(path, parent);
    const RegionId region = *known;
    const ContextId context = contextOf(path.context);
    place.from = context;
    const bool isParallel = classes_[region.index()].special == Special::Parallel;
    const bool isShare = parentKind == Kind::Share && isParallel;
    if (isShare) {
        // A worker continues its master's call path, of which its own stack knows nothing.
        const trace::SiteId site = parent.share ? shares_[*parent.share].origin.site : trace::kNoSite;
        place.node = tree_.child(parent.node, region, classes_, site);
        if (context != kNoContext) place.known = definitions_[context].frame;
    } else if (context != kNoContext) {
        const trace::CallingContext& call = definitions_[context];
        place.node =
            tree_.child(paths_.of(parent.node, parent.known, call.frame), region, classes_, call.site);
        place.known = call.frame;
    } else {
        place.node = tree_.child(parent.node, region, classes_);
        if (definitions_[region].paradigm == trace::Paradigm::Compiler) place.known = kByName;
    }
    if (isParallel) noteTeam(place, parent, isShare);
    const bool isCreation = tree_[place.node].special == Special::TaskCreate && place.known != kByName;
    if (isCreation && place.share && context != kNoContext)
        taskPlaces_.created({place.known, tree_[place.node].site, shares_[*place.share].origin},
                            tree_[place.node].parent);
    return place;
}

void TableReplay::noteTeam(Place& place, const Place& parent, bool isShare) {
    if (isShare && !parent.share) return;
    const replay::Origin origin =
        isShare ? shares_[*parent.share].origin
                : replay::Origin{self_, tree_[place.node].parent, tree_[place.node].site};
    place.share = shares_.size();
    shares_.push_back({origin, place.node});
}

TableReplay::Place TableReplay::placeTask(const ProfiledPath& path, const Place& tasks) {
    Place place = tasks;
    const RegionId region = *definitions_.regionOf.find(path.region);
    const ContextId context = contextOf(path.context);
    const bool isCreated =
        context != kNoContext && definitions_[region].role == trace::Role::Task && tasks.share;
    if (isCreated) {
        const Share& share = shares_[*tasks.share];
        const trace::CallingContext& call = definitions_[context];
        const NodeId above = taskPlaces_.above({call.frame, call.site, share.origin}, share.region, tree_);
        place.node = tree_.child(above, region, classes_, call.site);
        place.known = call.frame;
        return place;
    }
    if (definitions_.tasksAreBookedTwice()) place.stub = tree_.child(tasks.node, region, classes_);
    place.node = tree_.child(tree_.child(kProgram, trace::kTasksRegion, classes_), region, classes_);
    place.known = kByName;
    return place;
}

/// Others have their master's, or none.
bool TableReplay::hasOwnTime(std::size_t path) const {
    switch (table_.paths[path].kind) {
        case Kind::Root:
            return table_.kind != LocationProfile::Kind::Place;
        case Kind::Share:
        case Kind::Task:
            return false;
        default:
            return true;
    }
}

void TableReplay::addCounters(NodeId node, const std::vector<std::uint64_t>& values) {
    if (node == kOutside) return;
    auto& series = result_.calls.counters.series;
    for (std::size_t i = 0; i < std::min(values.size(), series.size()); ++i) {
        if (values[i] == 0) continue;
        auto& one = series[i];
        if (one.values.size() <= node.index()) {
            one.values.resize(node.index() + 1, replay::CounterValue{.integer = 0});
            one.seen.resize(node.index() + 1, 0);
        }
        one.seen[node.index()] = 1;
        auto& sum = one.values[node.index()].integer;
        const auto isState =
            definitions_.metricMembers[one.member.index()].mode == trace::MetricMode::Absolute;
        const std::uint64_t before = static_cast<std::uint64_t>(sum);
        sum = static_cast<std::int64_t>(isState ? std::max(before, values[i]) : before + values[i]);
    }
}

void TableReplay::addVisits(NodeId node, const ProfiledPath& path) {
    if (path.ended == 0) return;
    if (result_.visits.size() <= node.index()) result_.visits.resize(node.index() + 1);
    VisitTimes& known = result_.visits[node.index()];
    known.shortest = known.visits == 0 ? path.shortest : std::min(known.shortest, path.shortest);
    known.longest = std::max(known.longest, path.longest);
    known.squares += path.squares;
    known.visits += path.ended;
}

void TableReplay::addTraffic(NodeId node, const std::vector<ProfiledAmount>& counts) {
    if (counts.empty()) return;
    if (result_.traffic.size() <= node.index()) result_.traffic.resize(node.index() + 1);
    auto& sums = result_.traffic[node.index()];
    sums.resize(std::max(sums.size(), counts.size()));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sums[i].number += counts[i].number;
        sums[i].bytes += counts[i].bytes;
    }
}

void TableReplay::bookTask(const ProfiledPath& path, const Place& place) {
    if (place.stub == kOutside) return;
    tree_[place.stub].visits += path.visits;
    tree_[place.stub].exclusive += path.after;
}

/// Of a parallel region, which has it.
void TableReplay::bookManagement(NodeId node, Ticks time, std::vector<std::pair<NodeId, Ticks>>& all) {
    if (time == 0) return;
    tree_[node].exclusive += time;
    all.emplace_back(node, time);
}

void TableReplay::bookPath(std::size_t i) {
    const ProfiledPath& path = table_.paths[i];
    const Place& place = places_[i];
    const bool isCounted = path.kind == Kind::Region || path.kind == Kind::Off || path.kind == Kind::Flush;
    if (isCounted && place.isPresent) {
        tree_[place.node].visits += path.visits;
        addVisits(place.node, path);
    }
    if (hasOwnTime(i)) tree_[place.node].exclusive += path.own;
    if (table_.paths[path.parent].kind == Kind::Task)
        bookTask(path, place);
    else
        bookManagement(place.node, path.after, result_.joins);
    addCounters(place.node, path.counters);
    addTraffic(place.node, path.traffic);
}

void TableReplay::bookWay(const ProfiledWay& way) {
    const ProfiledPath& to = table_.paths[way.to];
    const Place& place = places_[way.to];
    const Place& parent = places_[to.parent];
    if (way.from == way.to && place.isPresent) {
        if (result_.visits.size() <= place.node.index()) result_.visits.resize(place.node.index() + 1);
        result_.visits[place.node.index()].repeated += way.times;
    }
    const Kind parentKind = table_.paths[to.parent].kind;
    if (parentKind == Kind::Task) {  // what passed since the switch is the task's
        tree_[place.node].exclusive += way.passed;
        return addCounters(parent.node, way.counters);
    }
    const ContextId context = to.kind == Kind::Region && place.isPresent ? place.from : kNoContext;
    const bool isShare = parentKind == Kind::Share;
    NodeId caller = parent.node;
    NodeId stay = parent.node;
    if (context != kNoContext && !isShare) {
        caller = paths_.of(parent.node, parent.known, definitions_[context].frame);
        stay = stayBetween(way.from, way.to, caller);
        const bool isFromAny = way.from == ProfiledWay::kFromAny;
        for (NodeId met = caller; met != stay; met = tree_[met].parent) {
            std::uint64_t& visits = tree_[met].visits;
            // Behind what is not known: perhaps functions stayed. At least once they were there.
            visits = isFromAny ? std::max<std::uint64_t>(visits, 1) : visits + way.times;
        }
    }
    if (hasOwnTime(to.parent)) tree_[stay].exclusive += way.passed;
    bookManagement(place.node, way.sinceFork, result_.forks);
    addCounters(way.forks != 0 ? caller : stay, way.counters);
}

ReplayedTable TableReplay::finish() {
    replay::LocationCalls& calls = result_.calls;
    const auto set = table_.counterSet ? definitions_.metricClassOf.find(*table_.counterSet) : std::nullopt;
    if (set)
        for (const trace::MemberId member : definitions_.metricClasses[set->index()].members)
            calls.counters.series.push_back({member, {}, {}});
    for (std::size_t i = 0; i < table_.paths.size(); ++i) bookPath(i);
    const auto isFromAny = [](const ProfiledWay& way) { return way.from == ProfiledWay::kFromAny; };
    for (const ProfiledWay& way : table_.ways)
        if (!isFromAny(way)) bookWay(way);
    for (const ProfiledWay& way : table_.ways)
        if (isFromAny(way)) bookWay(way);
    calls.program = std::filesystem::path(table_.program).filename().string();
    if (table_.kind == LocationProfile::Kind::Main && calls.program.empty()) calls.program = "program";
    calls.tree = std::move(tree_);
    calls.taskPlaces = std::move(taskPlaces_);
    return std::move(result_);
}

}  // namespace holos::analyzer::profile
