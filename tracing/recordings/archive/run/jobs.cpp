// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/jobs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {
namespace {

using tracing::MeetingSide;

/// A process that takes part, and what it calls the communicator.
struct Member {
    std::size_t process;
    std::uint32_t ref;
    std::uint32_t place;  ///< in its side
};

/// What the processes of one side say together.
struct Side {
    std::uint64_t world = 0;
    MeetingSide side = MeetingSide::Parent;
    std::string key;
    std::uint32_t root = 0;
    std::uint32_t number = 0;
    std::uint32_t size = 0;
    std::uint32_t remoteSize = 0;
    std::int64_t time = 0;  ///< when it was made, by the calendar's clock
    std::vector<std::uint32_t> worldRanks;
    std::vector<Member> members;
    bool isJoined = false;
};

std::int64_t calendarTime(const RecordedProcess& process, std::uint64_t ticks) {
    const HostClock clock(process.syncs);
    return clock.origin().realtime + (clock.nanoseconds(ticks) - clock.origin().monotonic);
}

bool isFirst(MeetingSide side) {
    return side == MeetingSide::Parent || side == MeetingSide::Acceptor || side == MeetingSide::LowerSocket;
}

/// The side that the other one of a meeting is.
MeetingSide otherOf(MeetingSide side) {
    switch (side) {
        case MeetingSide::Parent:
            return MeetingSide::Child;
        case MeetingSide::Child:
            return MeetingSide::Parent;
        case MeetingSide::Acceptor:
            return MeetingSide::Connector;
        case MeetingSide::Connector:
            return MeetingSide::Acceptor;
        case MeetingSide::LowerSocket:
            return MeetingSide::HigherSocket;
        case MeetingSide::HigherSocket:
            break;
    }
    return MeetingSide::LowerSocket;
}

class Joining {
  public:
    explicit Joining(Recording& recording) : recording_(recording) {}

    Meetings join() {
        collectSides();
        for (Side* second : inTime_)
            if (!isFirst(second->side))
                if (Side* const first = partnerOf(*second)) connect(*first, *second);
        deriveComms();
        return std::move(meetings_);
    }

  private:
    void collectSides() {
        for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
            const RecordedProcess& process = recording_.processes[i];
            if (!isRank(process)) continue;
            for (const auto& [ref, meeting] : process.meetings) add(i, ref, meeting);
        }
        for (auto& [identity, side] : sides_) inTime_.push_back(&side);
        std::ranges::stable_sort(inTime_, {}, &Side::time);
    }

    void add(std::size_t number, std::uint32_t ref, const RecordedMeeting& meeting) {
        const RecordedProcess& process = recording_.processes[number];
        Side& side = sides_[{process.world->key(), meeting.root, meeting.number}];
        const std::int64_t time = calendarTime(process, meeting.ticks);
        side.time = side.members.empty() ? time : std::min(side.time, time);
        side.world = process.world->key();
        side.side = meeting.side;
        side.root = meeting.root;
        side.number = meeting.number;
        side.size = meeting.size;
        side.remoteSize = meeting.remoteSize;
        if (!meeting.key.empty()) side.key = meeting.key;
        if (!meeting.worldRanks.empty()) side.worldRanks = meeting.worldRanks;
        side.members.push_back({number, ref, meeting.place});
    }

    /// The earliest that fits. Where no key says who met whom, only one process may have been that.
    Side* partnerOf(const Side& second) const {
        std::vector<Side*> fitting;
        for (Side* first : inTime_) {
            const bool fits = !first->isJoined && first->side == otherOf(second.side) &&
                              first->size == second.remoteSize && first->remoteSize == second.size &&
                              !first->worldRanks.empty() && !second.worldRanks.empty();
            if (fits && (first->key.empty() || second.key.empty() || first->key == second.key))
                fitting.push_back(first);
        }
        if (fitting.empty()) return nullptr;
        const Side& earliest = *fitting.front();
        const bool isSure = std::ranges::all_of(fitting, [&](const Side* other) {
            return (!second.key.empty() && other->key == second.key) ||
                   (other->world == earliest.world && other->root == earliest.root);
        });
        return isSure ? fitting.front() : nullptr;
    }

    void connect(Side& first, Side& second) {
        first.isJoined = second.isJoined = true;
        meetings_.emplace_back(first.world, second.world);
        CommFacts facts{{}, first.size + second.size, second.size, first.worldRanks, {}};
        facts.worldRanks.insert(facts.worldRanks.end(), second.worldRanks.begin(), second.worldRanks.end());
        facts.worlds.assign(first.size, first.world);
        facts.worlds.resize(facts.worldRanks.size(), second.world);
        const std::uint32_t comm =
            recording_.definitions.comms.of({first.world, first.root, first.number}, std::move(facts));
        for (const Member& member : first.members) set(member, comm, member.place);
        for (const Member& member : second.members) set(member, comm, first.size + member.place);
    }

    void set(const Member& member, std::uint32_t comm, std::uint32_t place) {
        Numbers& numbers = recording_.processes[member.process].numbers;
        numbers.comms.set(member.ref, comm);
        numbers.places.set(member.ref, place);
    }

    /// References count up, so that what a communicator was made of comes before it.
    void deriveComms() {
        for (std::size_t i = 0; i < recording_.processes.size(); ++i)
            for (const auto& [ref, derived] : recording_.processes[i].derivedComms) {
                const auto parent = recording_.processes[i].numbers.comms.find(derived.parent);
                if (!parent) continue;
                const auto known =
                    derived_.try_emplace({*parent, derived.count, derived.root}, derived_.size()).first;
                const Identity identity{kDerivedWorld, static_cast<std::uint32_t>(known->second), 2};
                set({i, ref, derived.place},
                    recording_.definitions.comms.of(identity, factsOf(*parent, derived)), derived.place);
            }
    }

    CommFacts factsOf(std::uint32_t parent, const RecordedDerivedComm& derived) const {
        const CommFacts& all = recording_.definitions.comms.facts(parent);
        CommFacts facts{{}, derived.size + derived.remoteSize, derived.remoteSize, {}, {}};
        for (const std::uint32_t place : derived.members) {
            if (place >= all.worldRanks.size() || place >= all.worlds.size())
                return {{}, facts.size, facts.remoteSize, {}, {}};
            facts.worldRanks.push_back(all.worldRanks[place]);
            facts.worlds.push_back(all.worlds[place]);
        }
        return facts;
    }

    /// No world has this key: those of worlds are odd, or small.
    static constexpr std::uint64_t kDerivedWorld = std::uint64_t{1} << 63U;

    Recording& recording_;
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, Side> sides_;
    std::vector<Side*> inTime_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> derived_;
    Meetings meetings_;
};

}  // namespace

bool isRank(const RecordedProcess& process) {
    constexpr std::uint32_t kMostRanks = 1U << 24U;  // more than any machine runs are a damaged number
    return process.world && process.world->size <= kMostRanks && !process.syncs.empty();
}

Meetings joinWorlds(Recording& recording) {
    return Joining(recording).join();
}

namespace {

/// Of each world the one that stands for all that it met.
class MetWorlds {
  public:
    explicit MetWorlds(const Meetings& meetings) {
        for (const auto& [one, other] : meetings) standsFor_[find(one)] = find(other);
    }
    std::uint64_t find(std::uint64_t world) const {
        for (auto at = standsFor_.find(world); at != standsFor_.end() && at->second != world;
             at = standsFor_.find(world))
            world = at->second;
        return world;
    }

  private:
    std::map<std::uint64_t, std::uint64_t> standsFor_;
};

}  // namespace

std::vector<std::vector<RecordedProcess>> byJob(std::vector<RecordedProcess> processes,
                                                const Meetings& meetings) {
    const MetWorlds met(meetings);
    std::vector<std::vector<RecordedProcess>> jobs(1);
    std::map<std::uint64_t, std::size_t> jobOf;  // of each world
    for (auto& one : processes) {
        const std::size_t job =
            isRank(one) ? jobOf.try_emplace(met.find(one.world->key()), jobOf.size()).first->second : 0;
        if (job == jobs.size()) jobs.emplace_back();
        jobs[job].push_back(std::move(one));
    }
    return jobs;
}

std::string describeJob(const std::vector<RecordedProcess>& processes) {
    const auto first = std::ranges::find_if(processes, isRank);
    if (first == processes.end()) return {};
    return first->executable + ", " +
           counted(static_cast<std::uint64_t>(std::ranges::count_if(processes, isRank)), "process");
}

}  // namespace holos::archive
