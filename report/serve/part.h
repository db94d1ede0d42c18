// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/serve/shown_experiment.h"

namespace holos::serve {

/// The part of a run that all panes show, as links of `holos view` name it, a word after the other with
/// commas: `range=0.5:1.25`, `only-system=`, `only-call=` with keys of rows, `only-region=`, `only-kind=`.
/// What it does not name is not restricted; what it names holds at once.
struct Part {
    struct Range {
        double from = 0.0;  ///< seconds since the run's start
        double to = 0.0;
    };
    std::optional<Range> range;
    std::vector<std::string> places;     ///< keys of threads, processes or machines, together
    std::vector<std::string> callPaths;  ///< keys of call paths with what they call, together
    std::vector<std::string> regions;    ///< names
    std::vector<std::string> kinds;      ///< as `belongingOf` says

    bool isOfTrees() const {
        return !places.empty() || !callPaths.empty() || !regions.empty() || !kinds.empty();
    }
};

/// Throws `holos::Error` that names the word which says nothing.
Part partFrom(std::string_view words);

/// What `partFrom` reads.
std::string wordsOf(const Part& part);

/// In plain words: `0.5 s to 1.25 s, node 1 / MPI Rank 1, in main / solve`.
std::string textOf(const Part& part);

/// What the part names apart from the range. Throws `holos::Error` where the experiment does not have that.
ExperimentPtr partOf(const ShownExperiment& whole, const Part& part);

}  // namespace holos::serve
