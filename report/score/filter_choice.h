// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/score/score.h"

namespace holos::score {

/// What to leave out of a recording.
struct FilterChoice {
    std::vector<RegionScore> excluded;  ///< in the order of the choice
    double bytesLeft = 0;               ///< of the trace
    bool isEnough = false;              ///< no more than was asked for
};

/// Bytes of a trace without these regions, which are less than those of the others where calls that find
/// nothing then follow each other.
using BytesWithout = std::function<double(const std::vector<RegionScore>& excluded)>;

/// A choice after which a trace has at most so many bytes. First go functions and user regions that have many
/// bytes for the time spent in them, as little is lost by these; then locks and the like; functions that lead
/// to MPI, OpenMP or threads go last. What was not needed in the end is taken back. Where all of them
/// together are not enough, all are chosen. `bytesWithout` is asked only where the sums of `score` are too
/// large.
FilterChoice chooseFilter(const Score& score, double mostBytes, const BytesWithout& bytesWithout = {});

/// The choice as a filter in Score-P's format, for `holos record --filter`.
std::string filterText(const FilterChoice& choice);

/// A pattern that fits this name only; of a name with line ends and the like, all that differ in those.
std::string filterPattern(const std::string& name);

}  // namespace holos::score
