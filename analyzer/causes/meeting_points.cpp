// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "analyzer/causes/point_sources.h"
#include "analyzer/matching/teams.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer::causes {

using patterns::kindOf;
using trace::LocationId;

namespace {

/// Scalasca does not look at one-sided communication, files and communicators.
bool isKnownToScalasca(Kind kind) {
    return kind != Kind::RmaWindow && kind != Kind::FileIo && kind != Kind::Communicators;
}

}  // namespace

MeetingPoints::MeetingPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged, Rules rules)
    : trace_(run.trace),
      matches_(run.matches),
      waits_(run.waits),
      merged_(merged),
      rules_(rules),
      worlds_(run.trace.definitions) {
    for (const auto& instances : matches_.collectives.instanceOf)
        for (const std::uint32_t instance : instances)
            if (instance != kNone) ofMpi_ = std::max<std::size_t>(ofMpi_, instance + 1);
    ofMpi_ += std::size_t{2} * worlds_.count();
    count_ = ofMpi_;
    surveyTeams();
    for (auto& instances : teams_)
        for (Team& team : instances) {
            team.first = static_cast<std::uint32_t>(count_);
            count_ += team.barriers + 1;
        }
}

MeetingPoints::Team& MeetingPoints::team(replay::TeamKey key) {
    auto& instances = teams_[key.comm];
    if (instances.size() <= key.instance) instances.resize(key.instance + 1);
    return instances[key.instance];
}

void MeetingPoints::surveyTeams() {
    teams_.reserve(trace_.definitions.comms.size());
    for (std::uint32_t comm = 0; comm < trace_.definitions.comms.size(); ++comm)
        teams_.emplace_back(matches_.teams.instances(comm), heap());
    for (const replay::LocationTrace& location : trace_.locations) surveyStays(location.threads);
}

void MeetingPoints::surveyStays(const replay::ThreadRecords& threads) {
    std::size_t told = 0;
    for (const replay::ParallelRecord& record : threads.parallels) {
        Team& known = team(record.team);
        known.barriers = std::max(known.barriers, record.barriers);
        known.earliestEnter = std::min(known.earliestEnter, record.enter);
        told += record.barriers;
    }
    // Barriers of damaged traces may belong to no stay, or to one that did not end.
    if (told == threads.barriers.size()) return;
    for (const replay::BarrierRecord& record : threads.barriers) {
        Team& known = team(record.team);
        known.barriers = std::max(known.barriers, record.sequence + 1);
    }
}

void MeetingPoints::collect(std::uint32_t location, Records<Point>& points) const {
    const replay::LocationTrace& local = trace_.locations[location];
    const std::size_t startups = (local.init.seen ? 1U : 0U) + (local.finalize.seen ? 1U : 0U);
    points.reserve(points.size() + local.messages.collectives.size() + startups);
    const patterns::LocationWaits& waits = waits_[location];
    if (local.init.seen) points.push_back(startup(location, local.init, waits.init, Kind::Init));
    collectCollectives(location, points);
    if (local.finalize.seen)
        points.push_back(startup(location, local.finalize, waits.finalize, Kind::Finalize));
}

void MeetingPoints::collectCollectives(std::uint32_t location, Records<Point>& points) const {
    const auto& messages = trace_.locations[location].messages;
    for (std::size_t i = 0; i < messages.collectives.size(); ++i) {
        const replay::CollectiveRecord& record = messages.collectives[i];
        const patterns::CollectiveWait& wait = waits_[location].collectives[i];
        if (!wait.synchronizes) continue;
        if (rules_.asScalasca && !isKnownToScalasca(kindOf(record.operation))) continue;
        const replay::Call& call = messages.calls[record.call];
        Point point;
        point.event = record.event;
        point.wait = wait.wait;
        point.before = call.leave - call.enter - wait.completion;
        point.arrival = record.begin;
        point.slice = call.slice;
        point.path = pathOf(merged_, location, record.node);
        point.meeting = matches_.collectives.instanceOf[location][i];
        point.kind = kindOf(record.operation);
        points.push_back(point);
    }
}

Point MeetingPoints::fork(std::uint32_t location, const replay::ParallelRecord& record) const {
    const Team& team = teams_[record.team.comm][record.team.instance];
    Point fork = point(location, record, Kind::Fork);
    const matching::TeamFork* known = matches_.teams.forkOf(record.team);
    fork.before = known != nullptr ? std::max<Ticks>(0, record.enter - known->fork) : 0;
    fork.before -= record.enter - team.earliestEnter;
    fork.meeting = team.first;
    return fork;
}

Point MeetingPoints::barrier(std::uint32_t location, const replay::BarrierRecord& record,
                             const patterns::BarrierWait& wait) const {
    Point barrier = point(location, record, Kind::OmpBarrier);
    barrier.wait = wait.wait;
    barrier.isWaitedFor = wait.isAwaited;
    barrier.meeting = teams_[record.team.comm][record.team.instance].first + 1 + record.sequence;
    return barrier;
}

Point MeetingPoints::startup(std::uint32_t location, const replay::Startup& call,
                             const patterns::StartupWait& wait, Kind kind) const {
    Point all = point(location, call, kind);
    const bool isKnown = kind == Kind::Finalize || !rules_.asScalasca;
    all.wait = isKnown ? wait.wait : 0;
    all.arrival = call.enter;
    all.before -= wait.completion;
    all.meeting = kind == Kind::Init ? initialization(location) : finalization(location);
    return all;
}

/// What is known of a stay in a region alone.
template <class Stay>
Point MeetingPoints::point(std::uint32_t location, const Stay& stay, Kind kind) const {
    Point point;
    point.event = stay.event;
    point.before = stay.leave - stay.enter;
    point.slice = stay.slice;
    point.path = pathOf(merged_, location, stay.node);
    point.kind = kind;
    return point;
}

void MeetingPoints::gather(Points& points) {
    points.meetings.resize(count_);
    gatherMembers(points);
    findParticipants(points);
    chooseCausers(points);
}

/// Barriers of a team mostly follow its fork in all of its threads, with nothing in between.
void MeetingPoints::gatherMembers(Points& points) const {
    numberBarriers(points);
    const std::vector<bool> areApart = countMembers(points);
    std::size_t members = 0;
    Meeting fork;
    for (std::size_t i = 0; i < points.meetings.size(); ++i) {
        Meeting& meeting = points.meetings[i];
        if (meeting.later != 0 && !areApart[i] && meeting.size == fork.size) {
            meeting.first = fork.first;
            continue;
        }
        const bool isFork = meeting.later == 0;
        meeting.later = 0;
        meeting.first = members & kMostMembers;
        if (isFork) fork = meeting;
        members += std::exchange(meeting.size, 0);
    }
    points.members.resize(members);
    for (std::uint32_t location = 0; location < points.byLocation.size(); ++location)
        points.byLocation[location].visitMeetings([&](std::uint32_t i, std::uint32_t number) {
            Meeting& meeting = points.meetings[number];
            if (meeting.later == 0) points.members[meeting.first + meeting.size++] = {location, i};
        });
}

/// In their team, as far as there is room for the number.
void MeetingPoints::numberBarriers(Points& points) const {
    for (const auto& instances : teams_)
        for (const Team& team : instances)
            for (std::uint32_t i = 1; i <= std::min(team.barriers, kMostLater); ++i)
                points.meetings[team.first + i].later = i & kMostLater;
}

/// Returns which barriers have members that do not follow their fork.
std::vector<bool> MeetingPoints::countMembers(Points& points) {
    std::vector<bool> areApart(points.meetings.size(), false);
    for (const PointList& list : points.byLocation) {
        std::uint32_t fork = kNone;
        std::uint32_t atFork = 0;
        list.visitMeetings([&](std::uint32_t i, std::uint32_t number) {
            Meeting& meeting = points.meetings[number];
            ++meeting.size;
            if (meeting.later == 0) {
                fork = number;
                atFork = i;
            } else if (number - fork != meeting.later || i - atFork != meeting.later) {
                areApart[number] = true;
            }
        });
    }
    return areApart;
}

void MeetingPoints::findCommunicators(Points& points) const {
    points.participants.resize(ofMpi_);
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        const auto& instances = matches_.collectives.instanceOf[i];
        for (std::size_t j = 0; j < instances.size(); ++j)
            if (waits_[i].collectives[j].synchronizes)
                points.participants[instances[j]].comm = trace_.locations[i].messages.collectives[j].comm;
    }
}

void MeetingPoints::findParticipants(Points& points) const {
    for (std::size_t i = 0; i < ofMpi_; ++i) {
        const Members members = points.membersOf(points.meetings[i]);
        if (members.empty()) continue;
        Participants& known = points.participants[i];
        const Kind kind = points.kindOf(members[0]);
        if (kind == Kind::OneToN || kind == Kind::NToOne)
            known.everybody = false;
        else if (known.comm != kNone)
            known.everybody = members.size() == trace_.definitions.comms[known.comm].members.size();
    }
}

void MeetingPoints::chooseCausers(Points& points) const {
    chooseLast(points);
    for (std::uint32_t comm = 0; comm < teams_.size(); ++comm)
        for (const Team& team : teams_[comm]) chooseMaster(points, comm, points.meetings[team.first]);
}

/// Everybody waits for the master of a fork.
void MeetingPoints::chooseMaster(const Points& points, std::uint32_t comm, Meeting& fork) const {
    const auto& team = trace_.definitions.comms[comm].members;
    const Members members = points.membersOf(fork);
    for (std::uint32_t i = 0; i < members.size(); ++i)
        if (!team.empty() && LocationId(members[i].location) == team.front()) fork.causer = i;
}

/// Of those who came at the same time, the lowest rank counts as last. Points are passed in their order,
/// which is that of members, too.
void MeetingPoints::chooseLast(Points& points) const {
    struct Last {
        Ticks arrival = 0;
        std::uint32_t location = kNone;
        std::uint32_t members = 0;  ///< so far
    };
    trace::Ranks ranks(trace_.definitions);
    std::vector<Last> lasts(ofMpi_);
    for (std::uint32_t location = 0; location < points.byLocation.size(); ++location)
        for (const Point& point : std::as_const(points.byLocation[location]).others()) {
            if (point.meeting == kNone) continue;
            Participants& participants = points.participants[point.meeting];
            participants.doWait |= point.wait > 0;
            Last& last = lasts[point.meeting];
            const std::uint32_t member = last.members++;
            const auto rankOf = [&, comm = participants.comm](std::uint32_t of) {
                return comm == kNone ? of : ranks.of(comm, LocationId(of));
            };
            if (member != 0 && (point.arrival < last.arrival ||
                                (point.arrival == last.arrival && rankOf(location) >= rankOf(last.location))))
                continue;
            last.arrival = point.arrival;
            last.location = participants.causer = location;
            points.meetings[point.meeting].causer = member;
        }
}

}  // namespace holos::analyzer::causes
