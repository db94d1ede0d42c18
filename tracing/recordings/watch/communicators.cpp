// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/communicators.h"

#include <algorithm>
#include <numeric>

#include "tracing/recordings/format/waiting_notes.h"

namespace holos::watch {

using archive::RecordedComm;

namespace {

constexpr std::pair<std::uint32_t, std::uint32_t> kWorld{0, 0};

}  // namespace

/// One of the members at least knows them all.
Communicators::Communicators(const FollowedRun& run) {
    for (std::size_t i = 0; i < run.size(); ++i)
        for (const auto& [ref, comm] : run.process(i).definitions().comms)
            if (run.process(i).seen().rank && !comm.worldRanks.empty())
                members_.try_emplace({comm.root, comm.number}, &comm.worldRanks);
}

const RecordedComm* Communicators::find(const FollowedProcess& process, std::uint32_t comm) {
    const auto& comms = process.definitions().comms;
    const auto found = process.seen().rank ? comms.find(comm) : comms.end();
    return found != comms.end() ? &found->second : nullptr;
}

std::vector<std::uint32_t> Communicators::membersOf(const RecordedComm& comm) const {
    if (!comm.worldRanks.empty()) return comm.worldRanks;
    const Identity identity{comm.root, comm.number};
    if (const auto found = members_.find(identity); found != members_.end()) return *found->second;
    std::vector<std::uint32_t> all(identity == kWorld ? comm.members() : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::optional<std::uint32_t> Communicators::worldRankOf(const RecordedComm& comm, std::uint32_t rank) const {
    const auto members = membersOf(comm);
    const bool isBetweenGroups = comm.remoteSize != 0;
    const std::size_t place =
        isBetweenGroups && comm.place < comm.size ? std::size_t{comm.size} + rank : rank;
    return place < members.size() ? std::optional(members[place]) : std::nullopt;
}

std::optional<std::uint32_t> Communicators::rankIn(const RecordedComm& comm, std::uint32_t worldRank) const {
    const auto members = membersOf(comm);
    const auto found = std::ranges::find(members, worldRank);
    if (found == members.end() || comm.remoteSize != 0) return std::nullopt;
    return static_cast<std::uint32_t>(found - members.begin());
}

std::optional<std::uint32_t> Communicators::referenceOf(const FollowedProcess& process,
                                                        const RecordedComm& comm) {
    const bool isSelf = comm.size == 1 && comm.remoteSize == 0;
    for (const auto& [ref, one] : process.definitions().comms)
        if (one.root == comm.root && one.number == comm.number && (one.size == 1) == isSelf) return ref;
    return std::nullopt;
}

using tracing::AwaitedKind;

namespace {

std::optional<std::uint32_t> operationOf(const SeenThread& thread, std::uint32_t comm) {
    if (!thread.awaits || thread.left) return std::nullopt;
    for (const AwaitedThing& thing : thread.awaits->things)
        if (static_cast<AwaitedKind>(thing.kind) == AwaitedKind::Collective && thing.tag == 0 &&
            thing.comm == comm)
            return thing.operation;
    return std::nullopt;
}

}  // namespace

const std::vector<CollectiveStates::Member>& CollectiveStates::of(const archive::RecordedComm& comm) {
    const auto [at, isNew] = known_.try_emplace({comm.root, comm.number, comm.size});
    if (isNew)
        for (const std::uint32_t one : communicators_.membersOf(comm))
            at->second.push_back(memberOf(comm, one));
    return at->second;
}

/// Of a process whose older events were written over it is not known how many it has completed. One that adds
/// up tells how many of all communicators.
CollectiveStates::Member CollectiveStates::memberOf(const archive::RecordedComm& comm,
                                                    std::uint32_t worldRank) const {
    Member member;
    member.worldRank = worldRank;
    const auto place = byRank_.find(worldRank);
    if (place == byRank_.end()) return member;
    const SeenProcess& process = run_.picture().processes[place->second];
    const FollowedProcess& followed = run_.process(process.number);
    const auto ref = Communicators::referenceOf(followed, comm);
    if (!ref) return member;
    member.isKnown = true;
    member.begun = 0;
    for (const SeenThread& thread : process.threads) {
        if (thread.mayHaveMore) member.isKnown = false;
        const ThreadActivity& activity = *followed.activity(thread.location);
        if (activity.isAddedUp()) {
            const auto& comms = followed.definitions().comms;
            const auto isShared = [](const auto& one) { return one.second.members() > 1; };
            if (std::ranges::count_if(comms, isShared) > 1) member.isKnown = false;
            member.completed += activity.collectivesOfAll();
        }
        if (activity.isAddedUp() || thread.mayHaveMore) member.begun.reset();
        const auto& begun = activity.begun().begun;
        if (const auto found = begun.find(*ref); found != begun.end() && member.begun)
            *member.begun += found->second;
        const auto& all = activity.collectives();
        if (const auto found = all.find(*ref); found != all.end()) member.completed += found->second;
        if (const auto operation = operationOf(thread, *ref)) member.operation = operation;
    }
    return member;
}

}  // namespace holos::watch
