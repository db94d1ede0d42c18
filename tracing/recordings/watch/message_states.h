// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>

#include "tracing/recordings/watch/communicators.h"
#include "tracing/recordings/watch/wait_context.h"

namespace holos::watch {

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
    /// No other thread of it than the first one has sent or received messages: when this one waits in MPI,
    /// the process sends and receives nothing else.
    bool hasOneThread(std::size_t process) const;

  private:
    const Messages& messagesOf(std::size_t process, const SeenThread& thread) const;
    bool count(std::size_t process, const MessageKey& key, bool isSent, Numbers& messages) const;

    const WaitContext& context_;
    const Communicators& communicators_;
};

}  // namespace holos::watch
