// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/collective_states.h"

#include <algorithm>

#include "tracing/recordings/format/waiting_notes.h"

namespace holos::watch {

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
