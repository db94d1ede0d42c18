// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// Builds an experiment whose values are written down in the test:
///
///     SmallExperiment().counter("page-faults", {{"main", {1, 2}}, {"main/work", {3, 4}}}).take()
///
/// Call paths are made when they are first named; regions are functions of the module `app.c`.
class SmallExperiment {
  public:
    struct Row {
        std::string path;            ///< regions separated by `/`
        std::vector<double> values;  ///< per location
    };
    using Rows = std::vector<Row>;

    explicit SmallExperiment(int ranks = 1, int threads = 2, const std::string& node = "node 1");

    /// A measured metric as the analysis makes it from a counter: a root of whole numbers.
    SmallExperiment& counter(const std::string& event, const Rows& rows);
    /// Any metric; `parent` is the unique name of its parent or empty.
    SmallExperiment& metric(algebra::Metric metric, const std::string& parent, const Rows& rows);
    /// What an analysis has of a run in which some wait for others at barriers, in seconds.
    struct BarrierRun {
        Rows work;        ///< computation
        Rows sleep = {};  ///< in calls of the system
        Rows waits;       ///< at barriers
        Rows delays;      ///< in what others did too long, for how long these waited
    };
    SmallExperiment& barriers(const BarrierRun& run);
    SmallExperiment& file(const std::string& name, const std::string& text);

    algebra::Experiment take() { return std::move(experiment_); }

  private:
    algebra::CallPathId pathTo(const std::string& path);
    algebra::RegionId region(const std::string& name);

    algebra::Experiment experiment_;
    std::vector<std::pair<algebra::MetricId, Rows>> pending_;
};

/// A metric of this name, in seconds.
algebra::Metric seconds(const std::string& name);

/// The call path whose regions are these, separated by `/`; fails the test by an exception when there is
/// none.
algebra::CallPathId findPath(const algebra::Experiment& experiment, const std::string& path);

/// The metric of this display name; an exception when there is none or more than one.
algebra::MetricId findShown(const algebra::Experiment& experiment, const std::string& displayName);

/// Values per location at a call path; zeros where there is no row.
std::vector<double> valuesAt(const algebra::Experiment& experiment, const std::string& displayName,
                             const std::string& path);

/// All display names as an indented tree: `A(B,C(D)) E`.
std::string metricTree(const algebra::Experiment& experiment);

/// What an operator should preserve, in a canonical order: one line for each value that is not zero and whose
/// metric is not hidden, with the paths of its metric, call path and location. For comparing experiments.
std::vector<std::string> canonicalValues(const algebra::Experiment& experiment);

}  // namespace holos::testing
