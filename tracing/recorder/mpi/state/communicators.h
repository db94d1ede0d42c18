// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracing/recorder/core/events.h"

/// The communicators of this process and their references in the trace.
///
/// Thread safety: safe.
namespace holos::tracing::mpi {

/// Of MPI_COMM_WORLD; 0 until that is known.
extern std::atomic<CommRef> worldRef;
CommRef refOfOther(MPI_Comm comm) noexcept;
/// 0 for communicators that the trace does not know.
inline CommRef refOf(MPI_Comm comm) noexcept {
    return comm == MPI_COMM_WORLD ? worldRef.load(std::memory_order_relaxed) : refOfOther(comm);
}

/// The root of a collective operation as events name it.
inline std::uint32_t rootOf(int root) noexcept {
    if (root == MPI_ROOT) return kRootSelf;
    return root == MPI_PROC_NULL ? kRootInOwnGroup : static_cast<std::uint32_t>(root);
}
inline std::uint32_t rootOf(std::uint32_t noRoot) noexcept {
    return noRoot;
}

/// A communicator's reference, but 0 also for communicators with processes of several worlds, in which
/// nothing may be agreed upon: those of other worlds need not be recorded, and would never answer.
CommRef refInWorld(MPI_Comm comm) noexcept;

/// The rank in MPI_COMM_WORLD of a rank of the communicator.
std::uint32_t worldRankIn(MPI_Comm comm, int rank) noexcept;

/// Whether it connects two groups, which have messages for each other only.
bool isBetweenGroups(MPI_Comm comm) noexcept;

/// The ranks in MPI_COMM_WORLD of a group's members; empty when some are of another world.
std::vector<std::uint32_t> worldRanksOf(MPI_Group group);

/// Defines MPI_COMM_WORLD, which has this id (`world.h`), and MPI_COMM_SELF. After MPI_Init, before any
/// other function here.
void defineWorld(std::uint64_t id) noexcept;

/// Gives a new communicator its identity, in agreement with its other members: collective over `comm`.
/// `parent`: what it was made of by all members of that; MPI_COMM_NULL where not all took part. `comm` is
/// MPI_COMM_NULL in those of them that are no members.
void agreeOnComm(MPI_Comm comm, MPI_Comm parent) noexcept;

/// Of a communicator with processes of another world what this side knows; `local`: the communicator of this
/// side. Collective over `local`.
void defineMeetingOf(MPI_Comm local, MPI_Comm made, MeetingSide side, const char* key) noexcept;

/// The identity of a duplicate that is being made without waiting (MPI_Comm_idup): all members count the
/// duplicates of a communicator in the same order, so no message is needed.
CommRef duplicateOf(MPI_Comm comm) noexcept;
void remember(MPI_Comm comm, CommRef ref) noexcept;

/// Defines the grid in which the processes of a communicator stand that has one.
void defineGridOf(MPI_Comm comm) noexcept;

void forget(MPI_Comm comm) noexcept;

}  // namespace holos::tracing::mpi
