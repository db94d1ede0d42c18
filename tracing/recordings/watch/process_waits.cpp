// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/process_waits.h"

#include <algorithm>
#include <numeric>

#include "tracing/recordings/format/vocabulary.h"
#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/call_names.h"

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
        const auto& windows = followed.definitions().windows;
        const auto& files = followed.definitions().handles;
        if (activity.isAddedUp()) {
            const auto& comms = followed.definitions().comms;
            const auto isShared = [](const auto& one) { return one.second.members() > 1; };
            if (std::ranges::count_if(comms, isShared) > 1 || !windows.empty() || !files.empty())
                member.isKnown = false;
            member.completed += activity.collectivesOfAll();
        }
        if (activity.isAddedUp() || thread.mayHaveMore) member.begun.reset();
        const auto& begun = activity.begun().begun;
        if (const auto found = begun.find(*ref); found != begun.end() && member.begun)
            *member.begun += found->second;
        const auto& all = activity.collectives();
        if (const auto found = all.find(*ref); found != all.end()) member.completed += found->second;
        for (const auto& [window, number] : activity.windowCollectives())
            if (const auto found = windows.find(window); found != windows.end() && found->second.comm == *ref)
                member.completed += number;
        for (const auto& [handle, number] : activity.fileCollectives())
            if (const auto found = files.find(handle); found != files.end() && found->second.comm == *ref)
                member.completed += number;
        if (const auto operation = operationOf(thread, *ref)) {
            member.operation = operation;
            if (thread.open.empty()) continue;
            const auto region = followed.definitions().regions.find(thread.open.back().region);
            if (region != followed.definitions().regions.end()) member.call = &region->second;
        }
    }
    return member;
}

const Messages& MessageStates::messagesOf(std::size_t process, const SeenThread& thread) const {
    return context_.followed(process).activity(thread.location)->messages();
}

std::optional<MessageStates::Member> MessageStates::memberOf(const RecordedComm& comm,
                                                             std::uint32_t worldRank) const {
    const auto process = context_.byRank().find(worldRank);
    const auto rank = communicators_.rankIn(comm, worldRank);
    if (process == context_.byRank().end() || !rank) return std::nullopt;
    return Member{process->second, *rank};
}

/// Adds how many messages of each tag a process has sent to a rank of a communicator, or received from it.
/// False where that is not known.
bool MessageStates::count(std::size_t process, const MessageKey& key, bool isSent, Numbers& messages) const {
    for (const SeenThread& thread : context_.seen(process).threads) {
        const Messages& all = messagesOf(process, thread);
        if (!all.isComplete) return false;
        const auto& counts = isSent ? all.sent : all.received;
        for (auto one = counts.lower_bound({key.comm, key.peer, 0});
             one != counts.end() && one->first.comm == key.comm && one->first.peer == key.peer; ++one)
            messages[one->first.tag] += isSent ? one->second : -one->second;
    }
    return true;
}

std::optional<MessageStates::Numbers> MessageStates::underWay(const RecordedComm& comm, const Member& sender,
                                                              const Member& receiver) const {
    const auto senders = Communicators::referenceOf(context_.followed(sender.process), comm);
    const auto receivers = Communicators::referenceOf(context_.followed(receiver.process), comm);
    Numbers messages;
    const bool isKnown = senders && receivers &&
                         count(sender.process, {*senders, receiver.rank, 0}, true, messages) &&
                         count(receiver.process, {*receivers, sender.rank, 0}, false, messages);
    return isKnown ? std::optional(std::move(messages)) : std::nullopt;
}

bool MessageStates::has(const Numbers& messages, std::uint32_t tag) {
    return std::ranges::any_of(messages, [tag](const auto& one) {
        return one.second > 0 && (one.first == tag || tag == tracing::kAnyone);
    });
}

bool MessageStates::mayReceive(const RecordedComm& comm, const Member& receiver, const Member& sender,
                               std::uint32_t tag) const {
    const auto ref = Communicators::referenceOf(context_.followed(receiver.process), comm);
    if (!ref) return true;
    const auto isLikeIt = [&](const AwaitedThing& one) {
        return static_cast<tracing::AwaitedKind>(one.kind) == tracing::AwaitedKind::Receive &&
               one.comm == *ref && (one.peer == sender.rank || one.peer == tracing::kAnyone) &&
               (one.tag == tag || one.tag == tracing::kAnyone);
    };
    for (const SeenThread& thread : context_.seen(receiver.process).threads) {
        const Messages& all = messagesOf(receiver.process, thread);
        if (!all.isComplete || all.posted > all.completed) return true;
        if (thread.awaits && std::ranges::any_of(thread.awaits->things, isLikeIt)) return true;
    }
    return false;
}

namespace {

using tracing::Collective;

/// As in `tracing::Collective`.
constexpr const char* kOperations[] = {
    "MPI_Barrier",   "MPI_Bcast",     "MPI_Gather",     "MPI_Gatherv",        "MPI_Scatter",
    "MPI_Scatterv",  "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",       "MPI_Alltoallv",
    "MPI_Alltoallw", "MPI_Allreduce", "MPI_Reduce",     "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan",      "MPI_Exscan"};

/// What makes or frees communicators and windows is named by its call, where that is given.
std::string nameOfOperation(std::uint32_t operation, const archive::RecordedRegion* call) {
    if (operation < std::size(kOperations)) return kOperations[operation];
    return call != nullptr ? call->name : "a call of all members";
}

std::string tagText(std::uint32_t tag) {
    return tag == tracing::kAnyone ? "any tag" : "tag " + std::to_string(tag);
}

std::string rankText(const std::optional<std::uint32_t>& worldRank, std::uint32_t rank) {
    return worldRank ? "rank " + std::to_string(*worldRank)
                     : "rank " + std::to_string(rank) + " of the communicator";
}

std::string ranksText(const std::vector<std::uint32_t>& ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + rangesOf(ranks);
}

bool isOnlyReceive(const SeenThread& thread) {
    return thread.stays && std::ranges::count_if(thread.awaits->things, [](const AwaitedThing& one) {
                               return static_cast<AwaitedKind>(one.kind) == AwaitedKind::Receive;
                           }) == 1;
}

/// Of several sends that a call waits for, this one may be complete while others are not. Where they all go
/// to the same process, that one has not received all of them.
bool mayBeComplete(const Awaited& awaited, const AwaitedThing& send) {
    const auto isAlike = [&](const AwaitedThing& one) {
        return one.kind == send.kind && one.peer == send.peer && one.comm == send.comm;
    };
    const bool areAlike =
        awaited.count == awaited.things.size() && std::ranges::all_of(awaited.things, isAlike);
    return !areAlike && !awaited.oneIsEnough;
}

/// Whether a member cannot leave an operation before another one has entered it. Members: ranks in its
/// communicator. Of a file each may have written its part without them.
bool needs(const AwaitedThing& thing, std::size_t member, std::size_t other) {
    if (thing.operation == tracing::kCollectiveFileCall) return false;
    switch (static_cast<Collective>(thing.operation)) {
        case Collective::Bcast:
        case Collective::Scatter:
        case Collective::Scatterv:
            return other == thing.peer;
        case Collective::Gather:
        case Collective::Gatherv:
        case Collective::Reduce:
            return member == thing.peer;
        case Collective::Scan:
        case Collective::Exscan:
            return other < member;
        default:
            return true;
    }
}

}  // namespace

std::string ProcessWaits::commText(const ThreadAt& at, std::uint32_t comm) const {
    return CallNames::communicatorOf(context_.followed(at.process), comm);
}

/// Together with other things it is not known whom.
void ProcessWaits::awaitAnyone(const ThreadAt& at, const RecordedComm& comm, std::uint32_t tag,
                               Wait& wait) const {
    const auto members = communicators_.membersOf(comm);
    const bool isOnly = context_.thread(at).awaits->count == 1;
    wait.isPartlyKnown |= members.empty() || !isOnly;
    if (!isOnly) return;
    wait.oneIsEnough = true;
    const auto own = ownMember(at, comm);
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
        const auto process = context_.byRank().find(members[rank]);
        if (members[rank] == context_.seen(at.process).rank) continue;
        const bool isSure = own && process != context_.byRank().end() &&
                            isNotSent(comm, {process->second, static_cast<std::uint32_t>(rank)}, *own, tag);
        context_.waitFor(wait, members[rank], isSure);
    }
}

std::optional<MessageStates::Member> ProcessWaits::ownMember(const ThreadAt& at,
                                                             const RecordedComm& comm) const {
    const auto rank = context_.seen(at.process).rank;
    return rank ? messages_.memberOf(comm, *rank) : std::nullopt;
}

bool ProcessWaits::isNotSent(const RecordedComm& comm, const MessageStates::Member& sender,
                             const MessageStates::Member& receiver, std::uint32_t tag) const {
    const auto underWay = messages_.underWay(comm, sender, receiver);
    return underWay && !MessageStates::has(*underWay, tag);
}

std::string ProcessWaits::awaitReceive(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    const std::string how = " (" + tagText(thing.tag) + ", " + commText(at, thing.comm) + ')';
    if (thing.peer == tracing::kAnyone) {
        if (comm != nullptr) awaitAnyone(at, *comm, thing.tag, wait);
        wait.isPartlyKnown |= comm == nullptr;
        return "a message from anyone" + how;
    }
    const auto sender = comm != nullptr ? communicators_.worldRankOf(*comm, thing.peer) : std::nullopt;
    wait.isPartlyKnown |= !sender;
    const std::string text = "a message from " + rankText(sender, thing.peer) + how;
    if (!sender) return text;
    const auto own = ownMember(at, *comm);
    const auto other = messages_.memberOf(*comm, *sender);
    const bool areRecorded = own && other;
    const auto underWay = areRecorded ? messages_.underWay(*comm, *other, *own) : std::nullopt;
    if (underWay && MessageStates::has(*underWay, thing.tag)) return text + ", which was sent";
    context_.waitFor(wait, *sender, areRecorded && isNotSent(*comm, *other, *own, thing.tag));
    if (underWay && isOnlyReceive(context_.thread(at))) remarkOnMessages(at, *sender, thing, *underWay);
    return text;
}

std::string ProcessWaits::awaitSend(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const {
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    const auto receiver = comm != nullptr ? communicators_.worldRankOf(*comm, thing.peer) : std::nullopt;
    wait.isPartlyKnown |= !receiver;
    const std::string text = rankText(receiver, thing.peer) + " to receive a message (" + tagText(thing.tag) +
                             ", " + commText(at, thing.comm) + ')';
    if (receiver && isReceived(at, *comm, *receiver, thing)) return text + ", which was received";
    if (receiver) context_.waitFor(wait, *receiver, hasToBeReceived(at, *comm, *receiver, thing));
    return text;
}

bool ProcessWaits::isReceived(const ThreadAt& at, const RecordedComm& comm, std::uint32_t receiver,
                              const AwaitedThing& thing) const {
    const auto own = ownMember(at, comm);
    const auto other = messages_.memberOf(comm, receiver);
    const auto underWay = own && other ? messages_.underWay(comm, *own, *other) : std::nullopt;
    return underWay && !MessageStates::has(*underWay, thing.tag);
}

bool ProcessWaits::hasToBeReceived(const ThreadAt& at, const RecordedComm& comm, std::uint32_t receiver,
                                   const AwaitedThing& thing) const {
    const auto own = ownMember(at, comm);
    const auto other = messages_.memberOf(comm, receiver);
    if (!own || !other || mayBeComplete(*context_.thread(at).awaits, thing)) return false;
    const auto underWay = messages_.underWay(comm, *own, *other);
    return underWay && MessageStates::has(*underWay, thing.tag) &&
           !messages_.mayReceive(comm, *other, *own, thing.tag);
}

void ProcessWaits::remarkOnMessages(const ThreadAt& at, std::uint32_t sender, const AwaitedThing& thing,
                                    const MessageStates::Numbers& underWay) {
    for (const auto& [tag, number] : underWay)
        if (number > 0)
            remarks_.push_back("rank " + std::to_string(sender) + " has sent " + std::to_string(number) +
                               (number == 1 ? " message" : " messages") + " with tag " + std::to_string(tag) +
                               " that " + processName(context_.seen(at.process)) + ", which waits for " +
                               tagText(thing.tag) + ", has not received");
}

std::string ProcessWaits::awaitCollective(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    const auto* const call = thing.tag == 0 ? context_.regionOf(at.process, context_.thread(at)) : nullptr;
    std::string text = nameOfOperation(thing.operation, call) + " (" + commText(at, thing.comm) + ')';
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    wait.isPartlyKnown = true;
    if (thing.tag != 0) return awaitBegun(at, thing, text, wait);
    if (comm == nullptr) return text;
    const auto& members = collectives_.of(*comm);
    const auto own = std::ranges::find_if(
        members, [&](const auto& one) { return one.worldRank == context_.seen(at.process).rank; });
    if (own == members.end() || !own->isKnown) return text;
    std::vector<std::uint32_t> late;
    std::vector<std::uint32_t> unknown;
    const auto rankOf = [&](const auto& one) { return static_cast<std::size_t>(&one - members.data()); };
    for (const auto& one : members) {
        if (!one.isKnown) unknown.push_back(one.worldRank);
        if (!one.isKnown || &one == &*own) continue;
        if (context_.thread(at).stays) remarkOnOperations(at, thing, *own, one);
        if (one.hasEntered(own->completed)) continue;
        late.push_back(one.worldRank);
        context_.waitFor(wait, one.worldRank, needs(thing, rankOf(*own), rankOf(one)));
    }
    wait.isPartlyKnown = !unknown.empty() || thing.operation == tracing::kCollectiveFileCall;
    if (!late.empty())
        text += ", which " + ranksText(late) + (late.size() == 1 ? " has" : " have") + " not entered";
    if (!unknown.empty()) text += "; of " + ranksText(unknown) + " that is not known";
    return text;
}

/// Once all have begun it, others may have to call MPI for its progress.
std::string ProcessWaits::awaitBegun(const ThreadAt& at, const AwaitedThing& thing, const std::string& name,
                                     Wait& wait) {
    std::string text = "the end of an operation like " + name + ", which an earlier call began";
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    const auto number = numberOfBegun(at, thing);
    if (comm == nullptr || !number) return text;
    std::vector<std::uint32_t> late;
    std::vector<std::uint32_t> unknown;
    const auto& members = collectives_.of(*comm);
    const auto own = ownMember(at, *comm);
    for (const auto& one : members) {
        if (!one.isKnown || !one.begun) unknown.push_back(one.worldRank);
        if (!one.isKnown || !one.begun || *one.begun >= *number) continue;
        late.push_back(one.worldRank);
        const auto rank = static_cast<std::size_t>(&one - members.data());
        context_.waitFor(wait, one.worldRank, own && needs(thing, own->rank, rank));
    }
    wait.isPartlyKnown = late.empty() || !unknown.empty();
    if (!late.empty())
        text += " and " + ranksText(late) + (late.size() == 1 ? " has" : " have") + " not begun";
    if (!unknown.empty()) text += "; of " + ranksText(unknown) + " that is not known";
    return text;
}

/// Which one of the communicator's it is. Nothing where several threads have begun such operations, or it is
/// not known to be under way.
std::optional<std::int64_t> ProcessWaits::numberOfBegun(const ThreadAt& at, const AwaitedThing& thing) const {
    std::optional<std::int64_t> number;
    std::size_t threads = 0;
    for (const SeenThread& thread : context_.seen(at.process).threads) {
        const BegunOperations& all = context_.followed(at.process).activity(thread.location)->begun();
        threads += all.begun.contains(thing.comm) ? 1 : 0;
        const auto found = all.underWay.find(thing.tag);
        if (found != all.underWay.end() && found->second.comm == thing.comm) number = found->second.number;
    }
    return threads == 1 ? number : std::nullopt;
}

/// Of many that differ in the same way only two are named.
void ProcessWaits::remarkOnOperations(const ThreadAt& at, const AwaitedThing& thing,
                                      const CollectiveStates::Member& own,
                                      const CollectiveStates::Member& other) {
    const bool isSame = other.completed == own.completed;
    const bool differs = isSame && other.operation && *other.operation != thing.operation;
    if (!differs || own.worldRank > other.worldRank) return;
    if (!remarked_.emplace(commText(at, thing.comm), thing.operation, *other.operation).second) return;
    remarks_.push_back(
        "rank " + std::to_string(own.worldRank) + " is in " + nameOfOperation(thing.operation, own.call) +
        ", rank " + std::to_string(other.worldRank) + " in " + nameOfOperation(*other.operation, other.call) +
        ": they do not call the operations of " + commText(at, thing.comm) + " in the same order");
}

bool ProcessWaits::isInFinalize(std::size_t process, const SeenThread& thread) const {
    const auto is = [&](std::uint32_t region) {
        const auto* const known = context_.region(process, region);
        return known != nullptr && known->name == "MPI_Finalize";
    };
    return (!thread.open.empty() && is(thread.open.back().region)) ||
           (thread.left && is(thread.left->region));
}

std::string ProcessWaits::awaitFinalize(const ThreadAt& at, Wait& wait) const {
    if (!context_.seen(at.process).rank) {  // of another world
        wait.isPartlyKnown = true;
        return "MPI_Finalize";
    }
    std::vector<std::uint32_t> late;
    for (const auto& [rank, process] : context_.byRank()) {
        const SeenProcess& other = context_.seen(process);
        bool isThere = false;
        for (const SeenThread& one : other.threads) isThere = isThere || isInFinalize(process, one);
        if (process == at.process || other.life == Life::Ended || isThere) continue;
        late.push_back(rank);
        context_.waitFor(wait, rank);
    }
    wait.isPartlyKnown |= late.empty();
    if (late.empty()) return "MPI_Finalize";
    return "MPI_Finalize, which " + ranksText(late) + (late.size() == 1 ? " has" : " have") + " not entered";
}

}  // namespace holos::watch
