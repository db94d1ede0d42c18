// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/predict/conditions.h"
#include "analyzer/predict/scales.h"
#include "analyzer/predict/timing.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::predict {

/// All that is known of a run when it is timed again. What it refers to must outlive it.
struct Recorded {
    const replay::ReplayedTrace& trace;  ///< of which only the profiles are needed
    const std::vector<trace::RegionClass>& classes;
    /// By location and node: its region and its call path; nothing where it has no place in the tree.
    const std::vector<std::vector<trace::RegionId>>& regionOf;
    const std::vector<std::vector<std::optional<algebra::CallPathId>>>& pathOf;
    const algebra::Experiment& experiment;  ///< whose call paths these are
    const RunGraph& graph;
    const Network& network;
};

/// What conditions make of a run.
struct Scenario {
    std::vector<LocationScales> scales;  ///< by location
    Changes changes;
};

/// Works out what several conditions mean together, in their order: what is balanced is balanced as it is
/// after those before. Throws `holos::Error` for a call path or node that the run does not have, with names
/// near it.
Scenario scenarioOf(const Recorded& recorded, std::span<const Condition> conditions,
                    workers::Workers& workers);

/// The call paths that a text names: one whole path, or the end of any, such as `solve` or `step/solve`;
/// places of calls may be left out. With all below. Throws `holos::Error` where there is none.
std::vector<bool> callPathsNamed(const algebra::Experiment& experiment, const std::string& text);

/// Short names by which conditions know call paths: the end of each that no other one has.
/// Thread safety: safe to read.
class PathNames {
  public:
    /// The experiment must outlive the names.
    explicit PathNames(const algebra::Experiment& experiment);
    /// The whole path where no end of it names it alone.
    std::string of(algebra::CallPathId path) const;

  private:
    bool isNameOf(const std::string& name, algebra::CallPathId path) const;

    const algebra::Experiment& experiment_;
    std::vector<std::string> calls_;    ///< by call path: its region without parameters, with its place
    std::vector<std::string> regions_;  ///< and without
};

}  // namespace holos::analyzer::predict
