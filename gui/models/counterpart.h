// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "algebra/model/experiment.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

/// The call path with the same callees from the root in another experiment, if there is one.
std::optional<algebra::CallPathId> sameCallPath(const algebra::Experiment& from, algebra::CallPathId path,
                                                const algebra::Experiment& to);
/// `sameCallPath` of all call paths.
std::vector<std::optional<algebra::CallPathId>> sameCallPaths(const algebra::Experiment& from,
                                                              const algebra::Experiment& to);

/// An experiment that is open, by the name that it has among them.
struct NamedExperiment {
    QString name;
    ExperimentPtr experiment;
    std::optional<double> size = {};  ///< that its folder is called after, in a study over sizes
};

/// Another experiment with which the one at hand is compared. The same are metrics of one unique name and
/// unit, call paths of the same names from the root on, and threads of the same number in processes of the
/// same rank. Questions are in terms of the experiment at hand; what the other one lacks is nothing there.
class Counterpart {
  public:
    /// `here` must outlive it.
    Counterpart(const algebra::Experiment& here, NamedExperiment there);

    const QString& name() const { return there_.name; }
    const ExperimentPtr& experiment() const { return there_.experiment; }
    /// Of that experiment.
    const ValueCache& cache() const { return cache_; }

    /// Whether it has the metric; values are NaN otherwise.
    bool has(algebra::MetricId metric) const { return metricThere(metric).has_value(); }
    /// True while values of it are being read there.
    bool isReading(algebra::MetricId metric) const;
    double total(algebra::MetricChoice choice, const algebra::ChosenPaths& paths,
                 const algebra::ChosenLocations& locations);
    /// One value per call path.
    std::vector<double> callPaths(algebra::MetricChoice choice, algebra::Extent extent,
                                  const algebra::ChosenLocations& locations);
    /// One value per location.
    std::vector<double> locations(algebra::MetricChoice choice, const algebra::ChosenPaths& paths);

  private:
    /// Rank of the process, number in it.
    using LocationKey = std::tuple<std::int64_t, algebra::Location::Type, std::int64_t>;

    std::optional<algebra::MetricChoice> choiceThere(algebra::MetricChoice choice) const;
    std::optional<algebra::MetricId> metricThere(algebra::MetricId metric) const;
    algebra::ChosenPaths pathsThere(const algebra::ChosenPaths& paths);
    algebra::ChosenLocations locationsThere(const algebra::ChosenLocations& locations);
    const std::vector<std::optional<algebra::CallPathId>>& samePaths();
    const std::vector<std::optional<algebra::LocationId>>& sameLocations();

    const algebra::Experiment& here_;
    NamedExperiment there_;
    ValueCache cache_;  ///< of the other one
    /// By call path, and by location; nothing: not needed yet.
    std::optional<std::vector<std::optional<algebra::CallPathId>>> samePaths_;
    std::optional<std::vector<std::optional<algebra::LocationId>>> sameLocations_;
};

}  // namespace holos::gui
