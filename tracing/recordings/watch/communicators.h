// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tracing/recordings/watch/followed_run.h"

namespace holos::watch {

/// The communicators of the processes of a run whose ranks are shown, and who is in them.
class Communicators {
  public:
    explicit Communicators(const FollowedRun& run);

    /// The world rank of a rank; of a communicator between two groups, of one in the other group.
    std::optional<std::uint32_t> worldRankOf(const archive::RecordedComm& comm, std::uint32_t rank) const;
    /// World ranks of all members; empty where they are not known.
    std::vector<std::uint32_t> membersOf(const archive::RecordedComm& comm) const;
    /// What a process calls the same communicator; nothing where it does not know it.
    static std::optional<std::uint32_t> referenceOf(const FollowedProcess& process,
                                                    const archive::RecordedComm& comm);
    static const archive::RecordedComm* find(const FollowedProcess& process, std::uint32_t comm);
    /// The rank of a process in a communicator of one group.
    std::optional<std::uint32_t> rankIn(const archive::RecordedComm& comm, std::uint32_t worldRank) const;

  private:
    using Identity = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Identity, const std::vector<std::uint32_t>*> members_;
};

}  // namespace holos::watch
