// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "tracing/recordings/watch/communicators.h"
#include "tracing/recordings/watch/message_states.h"
#include "tracing/recordings/watch/wait_context.h"

namespace holos::watch {

/// For what processes wait in calls of MPI. Each function adds those who are waited for to a wait, and says
/// what it is in words.
class ProcessWaits {
  public:
    /// `remarks` gets what does not fit together.
    ProcessWaits(const WaitContext& context, std::vector<std::string>& remarks)
        : context_(context),
          communicators_(context.run()),
          messages_(context, communicators_),
          collectives_(context.run(), communicators_, context.byRank()),
          remarks_(remarks) {}

    std::string awaitReceive(const ThreadAt& at, const AwaitedThing& thing, Wait& wait);
    std::string awaitSend(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const;
    std::string awaitCollective(const ThreadAt& at, const AwaitedThing& thing, Wait& wait);
    /// In MPI_Finalize: those who have not called it.
    std::string awaitFinalize(const ThreadAt& at, Wait& wait) const;

  private:
    std::string commText(const ThreadAt& at, std::uint32_t comm) const;
    /// The process itself; nothing in a communicator between two groups.
    std::optional<MessageStates::Member> ownMember(const ThreadAt& at,
                                                   const archive::RecordedComm& comm) const;
    void awaitAnyone(const ThreadAt& at, const archive::RecordedComm& comm, std::uint32_t tag,
                     Wait& wait) const;
    /// A message has not been sent, and its sender cannot send one before its own call returns.
    bool isNotSent(const archive::RecordedComm& comm, const MessageStates::Member& sender,
                   const MessageStates::Member& receiver, std::uint32_t tag) const;
    /// All such messages were received: the call waits for them no longer.
    bool isReceived(const ThreadAt& at, const archive::RecordedComm& comm, std::uint32_t receiver,
                    const AwaitedThing& thing) const;
    /// The call cannot return before that one receives the message, and it cannot do so in its own call.
    bool hasToBeReceived(const ThreadAt& at, const archive::RecordedComm& comm, std::uint32_t receiver,
                         const AwaitedThing& thing) const;
    /// What was sent to who waits for another message of the same sender, and was not received.
    void remarkOnMessages(const ThreadAt& at, std::uint32_t sender, const AwaitedThing& thing,
                          const MessageStates::Numbers& underWay);
    void remarkOnOperations(const ThreadAt& at, const AwaitedThing& thing,
                            const CollectiveStates::Member& own, const CollectiveStates::Member& other);
    /// In a call that ends an operation that an earlier one began. `name`: of the operation.
    std::string awaitBegun(const ThreadAt& at, const AwaitedThing& thing, const std::string& name,
                           Wait& wait);
    std::optional<std::int64_t> numberOfBegun(const ThreadAt& at, const AwaitedThing& thing) const;
    bool isInFinalize(std::size_t process, const SeenThread& thread) const;

    const WaitContext& context_;
    Communicators communicators_;
    MessageStates messages_;
    CollectiveStates collectives_;
    std::vector<std::string>& remarks_;
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> remarked_;
};

}  // namespace holos::watch
