// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/message_states.h"

#include <algorithm>

#include "tracing/recordings/format/waiting_notes.h"

namespace holos::watch {

using archive::RecordedComm;

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
    if (!ref || !hasOneThread(receiver.process)) return true;
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

bool MessageStates::hasOneThread(std::size_t process) const {
    const auto& threads = context_.seen(process).threads;
    return std::none_of(threads.begin() + (threads.empty() ? 0 : 1), threads.end(), [&](const auto& thread) {
        const Messages& all = messagesOf(process, thread);
        return !all.sent.empty() || !all.received.empty() || all.posted != 0;
    });
}

}  // namespace holos::watch
