// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tracing/recordings/watch/followed_run.h"
#include "tracing/recordings/watch/waits.h"

namespace holos::watch {

/// Who is in the communicators of a running program, as far as its processes have told.
class Communicators {
  public:
    explicit Communicators(const FollowedRun& run);

    /// The rank in MPI_COMM_WORLD of a rank of the communicator; of an intercommunicator: of a rank in the
    /// remote group.
    std::optional<std::uint32_t> worldRankOf(const archive::RecordedComm& comm, std::uint32_t rank) const;
    /// World ranks of all members; empty where they are not known.
    std::vector<std::uint32_t> membersOf(const archive::RecordedComm& comm) const;
    /// The number by which a process knows the communicator, which may differ from process to process;
    /// nothing where it does not know it.
    static std::optional<std::uint32_t> referenceOf(const FollowedProcess& process,
                                                    const archive::RecordedComm& comm);
    static const archive::RecordedComm* find(const FollowedProcess& process, std::uint32_t comm);
    /// The rank of a process in an intracommunicator.
    std::optional<std::uint32_t> rankIn(const archive::RecordedComm& comm, std::uint32_t worldRank) const;

  private:
    using Identity = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Identity, const std::vector<std::uint32_t>*> members_;
};

/// How far the members of communicators have come with their collective operations. All members call the
/// blocking ones in the same order, and so the nonblocking ones: their number tells which one a process is
/// in, or has begun.
class CollectiveStates {
  public:
    struct Member {
        std::uint32_t worldRank = 0;
        bool isKnown = false;        ///< else nothing below is
        std::int64_t completed = 0;  ///< blocking operations
        /// Nonblocking operations so far; nothing where that is not known.
        std::optional<std::int64_t> begun;
        /// The blocking operation that the process is in; nothing where it is in none.
        std::optional<std::uint32_t> operation;
        const archive::RecordedRegion* call = nullptr;  ///< the region of that

        bool hasEntered(std::int64_t number) const {
            return completed > number || (completed == number && operation);
        }
    };

    /// `byRank`: places in the run's picture.
    CollectiveStates(const FollowedRun& run, const Communicators& communicators,
                     const std::map<std::uint32_t, std::size_t>& byRank)
        : run_(run), communicators_(communicators), byRank_(byRank) {}

    /// Of all members; found once for each communicator.
    const std::vector<Member>& of(const archive::RecordedComm& comm);

  private:
    Member memberOf(const archive::RecordedComm& comm, std::uint32_t worldRank) const;

    const FollowedRun& run_;
    const Communicators& communicators_;
    const std::map<std::uint32_t, std::size_t>& byRank_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<Member>> known_;
};

/// Which messages processes have sent to each other and not received yet, and which they can receive now.
class MessageStates {
  public:
    /// How many messages, by tag.
    using Numbers = std::map<std::uint32_t, std::int64_t>;
    /// A process that is recorded, in a communicator of one group.
    struct Member {
        std::size_t process = 0;  ///< its place in the picture
        std::uint32_t rank = 0;   ///< in the communicator
    };

    MessageStates(const WaitContext& context, const Communicators& communicators)
        : context_(context), communicators_(communicators) {}

    std::optional<Member> memberOf(const archive::RecordedComm& comm, std::uint32_t worldRank) const;
    /// Sent and not received; nothing where that is not known.
    std::optional<Numbers> underWay(const archive::RecordedComm& comm, const Member& sender,
                                    const Member& receiver) const;
    /// `tag` may be any.
    static bool has(const Numbers& messages, std::uint32_t tag);
    /// It is in a call that receives such a message, has begun to receive some message, or this is not known.
    bool mayReceive(const archive::RecordedComm& comm, const Member& receiver, const Member& sender,
                    std::uint32_t tag) const;

  private:
    const Messages& messagesOf(std::size_t process, const SeenThread& thread) const;
    bool count(std::size_t process, const MessageKey& key, bool isSent, Numbers& messages) const;

    const WaitContext& context_;
    const Communicators& communicators_;
};

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
    const Communicators& communicators() const { return communicators_; }

  private:
    std::string commText(const ThreadAt& at, std::uint32_t comm) const;
    /// The process itself; nothing in a communicator between two groups.
    std::optional<MessageStates::Member> ownMember(const ThreadAt& at,
                                                   const archive::RecordedComm& comm) const;
    void awaitAnyone(const ThreadAt& at, const archive::RecordedComm& comm, std::uint32_t tag,
                     Wait& wait) const;
    /// Such a message has not been sent: one of the sender's threads has to go on first.
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
