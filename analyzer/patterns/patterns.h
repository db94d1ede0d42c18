// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/pattern.h"

/// What the search and other patterns ask of patterns; all else about them is in their files and in `list.h`.
/// Notation: E, L enter and leave of a call; B, X start and end of a collective operation on one rank.
namespace holos::analyzer::patterns {

/// Notes the waits in all collective operations, by the patterns of these.
void findCollectiveWaits(const replay::ReplayedTrace& trace, const matching::CollectiveOperations& operations,
                         workers::Workers& workers, AllFindings& found);
/// An operation between two groups: ranks wait for those of the other group.
void intercommunicatorWaits(CollectiveParts first, CollectiveParts second);
/// Alltoallv and its like, as far as the byte counts prove who had to wait. Within one group, the receivers
/// are the senders.
void exchangeWaits(CollectiveParts receivers, CollectiveParts senders);
/// Of all operations in which ranks need data of others.
extern const Metric kWaitNxN;

/// Notes the waits in barriers of teams, kept in `memory`.
void findOmpBarrierWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory,
                         AllFindings& found);
/// Books the times in barriers of teams in which threads could run and had no processor, beyond all waits,
/// which have to be known.
void findShortagesAtBarriers(const replay::ReplayedTrace& trace, workers::Workers& workers,
                             AllFindings& found);
/// Books what calls of MPI take beyond all waits, which have to be known, and beyond their cost in this run.
void findUnexplained(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found);
/// Notes what acquisitions of locks waited for.
void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found);

}  // namespace holos::analyzer::patterns
