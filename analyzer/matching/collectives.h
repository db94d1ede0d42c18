// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// One operation as all ranks of its communicator saw it, by rank.
using CollectiveInstance = std::span<const replay::RecordRef>;

/// The operations of one communicator: rank by rank, those of a rank in the order of time. Of a communicator
/// between two groups the ranks of both, one group after the other. Those that make and end communicators are
/// apart from the others: recorders do not agree on which of them are operations of all ranks.
struct CommOperations {
    std::size_t comm = 0;
    bool areOfCommunicators = false;
    std::vector<std::vector<replay::RecordRef>> ranks;
    /// By operation, as many as all ranks have: whether they agree on what it is.
    std::vector<std::uint8_t> isAgreed;
};

/// The operations with the records of all ranks: to look for waits, and not needed after that.
struct CollectiveOperations {
    std::vector<CommOperations> rows;  ///< two of each communicator

    /// Calls `visit` once for each complete operation, from several workers, with its communicator.
    void forEach(workers::Workers& workers,
                 const std::function<void(std::size_t comm, CollectiveInstance)>& visit) const;
};

/// Which records are of one operation.
struct CollectiveMatches {
    /// By location and record: the number of the operation, equal for all its ranks. `kNone` for those that
    /// some ranks lack, or in which the ranks disagree.
    std::vector<Records<std::uint32_t>> instanceOf;
    std::uint64_t complete = 0;
    std::vector<Diagnosis> diagnoses;  ///< of the others
};

struct MatchedCollectives {
    CollectiveMatches matches;
    CollectiveOperations operations;
};
/// Finds the operations that belong together: the n-th that every rank of a communicator began. Numbers are
/// kept in `memory`.
MatchedCollectives matchCollectives(const replay::ReplayedTrace& trace, workers::Workers& workers,
                                    Memory memory);

}  // namespace holos::analyzer::matching
