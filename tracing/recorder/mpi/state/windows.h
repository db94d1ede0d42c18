// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// The windows of this process: their references in the trace, and the operations on them that are not
/// complete.
///
/// Thread safety: safe.
namespace holos::tracing::mpi {

/// Stands for all processes of a window.
inline constexpr int kAllTargets = -1;

/// The window of a call; 0 for those that the trace does not know.
WinRef windowOf(MPI_Win win) noexcept;

/// Gives a new window its identity, in agreement with the other members of `comm`: collective over it.
/// `isAllocated`: MPI allocated its memory and frees it with the window.
WinRef agreeOnWin(MPI_Win win, MPI_Comm comm, bool isAllocated) noexcept;
bool isAllocated(MPI_Win win) noexcept;
/// The communicator over which it was made; 0 for windows that the trace does not know.
CommRef membersOf(MPI_Win win) noexcept;
void forgetWindow(MPI_Win win) noexcept;

/// A new operation: its number in this process, from 1.
std::uint64_t newOperation(MPI_Win win, int target) noexcept;
/// Whether there are some that are not complete at that target.
bool hasOperations(MPI_Win win, int target) noexcept;
/// One that failed.
void forgetOperation(MPI_Win win, std::uint64_t number) noexcept;
/// Records that the operations on a target are complete, here and, where `remotely`, at the target as well.
void completeOperations(MPI_Win win, int target, bool remotely) noexcept;
/// Records that an operation with a request of its own is complete here.
void completeOperation(WinRef win, std::uint64_t operation) noexcept;

/// The processes of an access (MPI_Win_start) or exposure (MPI_Win_post) epoch, kept until its end.
enum class Epoch : std::uint8_t { Access, Exposure };
void beginEpoch(MPI_Win win, Epoch epoch, MPI_Group group) noexcept;
/// 0 when none is open.
GroupRef groupOf(MPI_Win win, Epoch epoch) noexcept;
/// The group that it had.
GroupRef endEpoch(MPI_Win win, Epoch epoch) noexcept;

}  // namespace holos::tracing::mpi
