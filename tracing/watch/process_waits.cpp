// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/watch/process_waits.h"

#include <algorithm>

#include "tracing/core/waiting_notes.h"
#include "tracing/watch/call_names.h"

namespace holos::watch {
namespace {

using archive::RecordedComm;

/// As in `tracing::Collective`.
constexpr const char* kOperations[] = {
    "MPI_Barrier",   "MPI_Bcast",     "MPI_Gather",     "MPI_Gatherv",        "MPI_Scatter",
    "MPI_Scatterv",  "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",       "MPI_Alltoallv",
    "MPI_Alltoallw", "MPI_Allreduce", "MPI_Reduce",     "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan",      "MPI_Exscan"};

std::string nameOfOperation(std::uint32_t operation) {
    return operation < std::size(kOperations) ? kOperations[operation] : "a call of all members";
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

/// Adds how many messages of each tag a process has sent to a rank of a communicator, or received from it.
/// False where that is not known.
bool count(const WaitContext& context, std::size_t process, const MessageKey& key, bool isSent,
           std::map<std::uint32_t, std::int64_t>& underWay) {
    for (const SeenThread& thread : context.seen(process).threads) {
        const Messages& all = context.followed(process).activity(thread.location)->messages();
        if (!all.isComplete) return false;
        const auto& counts = isSent ? all.sent : all.received;
        for (auto one = counts.lower_bound({key.comm, key.peer, 0});
             one != counts.end() && one->first.comm == key.comm && one->first.peer == key.peer; ++one)
            underWay[one->first.tag] += isSent ? one->second : -one->second;
    }
    return true;
}

}  // namespace

std::string ProcessWaits::commText(const ThreadAt& at, std::uint32_t comm) const {
    return CallNames::communicatorOf(context_.followed(at.process), comm);
}

/// Together with other things it is not known whom.
void ProcessWaits::awaitAnyone(const ThreadAt& at, const RecordedComm& comm, Wait& wait) const {
    const auto members = communicators_.membersOf(comm);
    const bool isOnly = context_.thread(at).awaits->count == 1;
    wait.isPartlyKnown |= members.empty() || !isOnly;
    if (!isOnly) return;
    wait.oneIsEnough = true;
    for (const std::uint32_t one : members)
        if (one != context_.seen(at.process).rank) context_.waitFor(wait, one);
}

std::string ProcessWaits::awaitReceive(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    const std::string how = " (" + tagText(thing.tag) + ", " + commText(at, thing.comm) + ')';
    if (thing.peer == tracing::kAnyone) {
        if (comm != nullptr) awaitAnyone(at, *comm, wait);
        wait.isPartlyKnown |= comm == nullptr;
        return "a message from anyone" + how;
    }
    const auto sender = comm != nullptr ? communicators_.worldRankOf(*comm, thing.peer) : std::nullopt;
    wait.isPartlyKnown |= !sender;
    const std::string text = "a message from " + rankText(sender, thing.peer) + how;
    if (!sender) return text;
    const auto underWay = messagesUnderWay(at, *comm, *sender, thing);
    const bool isThere = std::ranges::any_of(underWay, [&](const auto& one) {
        return one.second > 0 && (one.first == thing.tag || thing.tag == tracing::kAnyone);
    });
    if (isThere) return text + ", which was sent";
    context_.waitFor(wait, *sender);
    const auto isReceive = [](const AwaitedThing& one) {
        return static_cast<tracing::AwaitedKind>(one.kind) == tracing::AwaitedKind::Receive;
    };
    const SeenThread& thread = context_.thread(at);
    const auto& all = thread.awaits->things;
    const bool isOnly = std::ranges::count_if(all, isReceive) == 1;
    if (thread.stays && isOnly) remarkOnMessages(at, *sender, thing, underWay);
    return text;
}

std::string ProcessWaits::awaitSend(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const {
    const RecordedComm* const comm = Communicators::find(context_.followed(at.process), thing.comm);
    const auto receiver = comm != nullptr ? communicators_.worldRankOf(*comm, thing.peer) : std::nullopt;
    wait.isPartlyKnown |= !receiver;
    if (receiver) context_.waitFor(wait, *receiver);
    return rankText(receiver, thing.peer) + " to receive a message (" + tagText(thing.tag) + ", " +
           commText(at, thing.comm) + ')';
}

/// By tag, what was sent there and not received; nothing where that is not known.
std::map<std::uint32_t, std::int64_t> ProcessWaits::messagesUnderWay(const ThreadAt& at,
                                                                     const RecordedComm& comm,
                                                                     std::uint32_t sender,
                                                                     const AwaitedThing& thing) const {
    const SeenProcess& receiver = context_.seen(at.process);
    const auto process = context_.byRank().find(sender);
    if (process == context_.byRank().end() || !receiver.rank) return {};
    const auto theirs = Communicators::referenceOf(context_.followed(process->second), comm);
    const auto ownRank = communicators_.rankIn(comm, *receiver.rank);
    std::map<std::uint32_t, std::int64_t> underWay;
    const bool isKnown = theirs && ownRank &&
                         count(context_, process->second, {*theirs, *ownRank, 0}, true, underWay) &&
                         count(context_, at.process, {thing.comm, thing.peer, 0}, false, underWay);
    return isKnown ? underWay : std::map<std::uint32_t, std::int64_t>();
}

void ProcessWaits::remarkOnMessages(const ThreadAt& at, std::uint32_t sender, const AwaitedThing& thing,
                                    const std::map<std::uint32_t, std::int64_t>& underWay) {
    for (const auto& [tag, number] : underWay)
        if (number > 0)
            remarks_.push_back("rank " + std::to_string(sender) + " has sent " + std::to_string(number) +
                               (number == 1 ? " message" : " messages") + " with tag " + std::to_string(tag) +
                               " that " + nameOf(context_.seen(at.process)) + ", which waits for " +
                               tagText(thing.tag) + ", has not received");
}

std::string ProcessWaits::awaitCollective(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    std::string text = nameOfOperation(thing.operation) + " (" + commText(at, thing.comm) + ')';
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
    for (const auto& one : members) {
        if (!one.isKnown) unknown.push_back(one.worldRank);
        if (!one.isKnown || &one == &*own) continue;
        if (context_.thread(at).stays) remarkOnOperations(at, thing, *own, one);
        if (one.hasEntered(own->completed)) continue;
        late.push_back(one.worldRank);
        context_.waitFor(wait, one.worldRank);
    }
    wait.isPartlyKnown = !unknown.empty();
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
    for (const auto& one : collectives_.of(*comm)) {
        if (!one.isKnown || !one.begun) unknown.push_back(one.worldRank);
        if (!one.isKnown || !one.begun || *one.begun >= *number) continue;
        late.push_back(one.worldRank);
        context_.waitFor(wait, one.worldRank);
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
    remarks_.push_back("rank " + std::to_string(own.worldRank) + " is in " +
                       nameOfOperation(thing.operation) + ", rank " + std::to_string(other.worldRank) +
                       " in " + nameOfOperation(*other.operation) + ": they do not call the operations of " +
                       commText(at, thing.comm) + " in the same order");
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
