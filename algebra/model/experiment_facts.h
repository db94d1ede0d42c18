// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/cubepl/evaluation.h"
#include "algebra/model/experiment.h"
#include "algebra/model/ids.h"

namespace holos::algebra {

/// What expressions can ask about an experiment and about the place they are evaluated for (CubePL's
/// predefined variables). Indices are those of the model.
class ExperimentFacts final : public cubepl::Facts {
  public:
    /// What takes a walk through the experiment is spent of the budget.
    ExperimentFacts(const Experiment& experiment, cubepl::Budget& budget)
        : experiment_(experiment), budget_(budget) {}

    void setMetric(MetricId metric) { metric_ = metric; }
    /// Nothing when the evaluation is not about a single call path.
    void setCallPath(std::optional<CallPathId> path) { path_ = path; }
    /// Answers `metric::call`.
    using ValueAt = std::function<double(const cubepl::Reference&, CallPathId)>;
    void setValueAt(ValueAt valueAt) { valueAt_ = std::move(valueAt); }
    /// Nothing when the evaluation is not about a single location.
    void setLocation(std::optional<LocationId> location) { location_ = location; }
    std::optional<LocationId> location() const { return location_; }

    std::optional<cubepl::Value> find(const std::string& name,
                                      std::optional<std::size_t> index) const override;
    std::optional<double> valueAt(const cubepl::Reference& reference, std::size_t callPath) override;
    std::optional<std::string> property(const std::string& metric,
                                        const std::string& property) const override;

  private:
    std::optional<cubepl::Value> count(std::string_view name) const;
    std::optional<cubepl::Value> calculationFact(std::string_view name) const;
    std::optional<cubepl::Value> metricFact(std::string_view name, std::size_t index) const;
    std::optional<cubepl::Value> systemNodeFact(std::string_view name, std::size_t index) const;
    std::optional<cubepl::Value> processFact(std::string_view name, std::size_t index) const;
    std::optional<cubepl::Value> locationFact(std::string_view name, std::size_t index) const;
    std::optional<cubepl::Value> regionFact(std::string_view name, std::size_t index) const;
    std::optional<cubepl::Value> callPathFact(std::string_view name, std::size_t index) const;

    const Experiment& experiment_;
    cubepl::Budget& budget_;
    MetricId metric_;
    std::optional<CallPathId> path_;
    std::optional<LocationId> location_;
    ValueAt valueAt_;
};

struct Experiment;

/// What the metrics' initialisations (`cubeplinit`) leave behind. They run in the order of the metrics; an
/// initialisation sees what was declared `global` before.
struct Initialisation {
    cubepl::Variables shared;                   ///< declared `global`: for the expressions of all metrics
    std::map<MetricId, cubepl::Variables> own;  ///< for the expression of the metric alone
    std::set<MetricId> madeVoid;                ///< lost their value by `cube::metric::set`
    std::map<MetricId, std::string> failures;   ///< why an initialisation could not run
};

Initialisation initialise(const Experiment& experiment);

/// By call path, whether it is of the tree of explicit tasks (`TASKS`), or stands above it: what tasks take
/// may be there and where they ran, and is taken off what stands above, which is negative where it has less.
std::vector<char> pathsOfTasks(const Experiment&);

}  // namespace holos::algebra
