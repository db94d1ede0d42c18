// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tracing/recordings/watch/followed_run.h"

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
        /// The region of the blocking operation that the process is in; nothing where it is in none.
        std::optional<std::uint32_t> operation;

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

}  // namespace holos::watch
