// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/cubepl/evaluation.h"
#include "algebra/model/experiment_facts.h"
#include "algebra/model/rows.h"
#include "algebra/model/selection.h"

namespace holos::algebra {

/// Answers one query: stored metrics are reduced, derived ones evaluated. Postderived metrics are evaluated
/// on reduced operands, prederived ones per call path and location before the reduction (CubePL, Cube user
/// guide). What a metric costs is bounded (`cubepl::Budget`), and one that costs too much is not tried again
/// by any query on the experiment. Keeps intermediate results, so that metrics that share operands compute
/// them once.
///
/// Thread safety: one thread.
class MetricValues {
  public:
    MetricValues(const Experiment& experiment, Selection selection);

    /// One value per lane. A metric that cannot be evaluated is NaN everywhere.
    std::vector<double> values(MetricChoice choice);

    /// The value at every call path and location, exclusive along the call tree or not, whatever was
    /// selected. Throws `holos::Error` for a metric that cannot be evaluated. Valid as long as this object
    /// and the experiment.
    const SeverityTable& everywhere(MetricId metric, Extent callExtent = Extent::Exclusive);

    /// Why a metric is NaN everywhere.
    const std::map<MetricId, std::string>& failures() const { return failures_; }

  private:
    /// What a query and the calls that its programs make have in common.
    struct Shared;
    MetricValues(const Experiment& experiment, Selection selection, const MetricValues& caller);

    /// How an operand differs from what the query asked for.
    enum class Variant : unsigned char { AsAsked, Inclusive, Exclusive, Whole };

    void startQuery();
    const std::vector<double>& inclusiveOf(MetricId metric, Variant variant);
    std::vector<double> compute(MetricId metric, Variant variant);
    std::vector<double> evaluateReduced(MetricId metric, Variant variant);
    const Selection& selection(Variant variant);

    const SeverityTable& table(MetricId metric, Extent callExtent);
    const SeverityTable& storedTable(MetricId metric);
    RowsPtr rows(MetricId metric, Extent callExtent);
    SeverityTable computeTable(MetricId metric, Extent callExtent);
    SeverityTable evaluateTable(MetricId metric, Extent callExtent);

    const cubepl::Program& program(MetricId metric);
    double evaluate(const cubepl::Program& program, const cubepl::Inputs& inputs);
    void spendOnReduction(const Selection& asked);
    double valueAt(const cubepl::Reference& reference, CallPathId path);
    const Initialisation& initialisation() const;
    bool isVoid(MetricId metric) const;
    cubepl::Inputs inputs(MetricId metric, const std::vector<std::vector<double>>& operands);

    /// Remembers what is being evaluated and refuses circles, long chains, and what is known to fail.
    class Nesting;
    template <class Action>
    auto nested(MetricId metric, Action action);

    const Experiment& experiment_;
    std::map<Variant, Selection> selections_;
    std::shared_ptr<Shared> shared_;
    bool isCalled_ = false;  ///< by a program, for a value at a call path
    ExperimentFacts facts_;
    std::map<std::pair<MetricId, Variant>, std::vector<double>> reduced_;
    std::map<MetricId, std::string> failures_;
    std::vector<MetricId> evaluating_;
};

/// False when the answer needs more than some megabytes of a file, which nobody has asked for yet. Does not
/// throw `holos::Error`: a file that is damaged gives its answer, an error, quickly.
bool isAnsweredQuickly(const Experiment& experiment, MetricChoice choice, const Selection& selection);

}  // namespace holos::algebra
