// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/cubepl/evaluation.h"
#include "algebra/model/experiment.h"

namespace holos::algebra {

/// What expressions can ask about an experiment and about the place they are evaluated for (CubePL's
/// predefined variables). Indices are those of the model.
class ExperimentFacts final : public cubepl::Facts {
  public:
    explicit ExperimentFacts(const Experiment& experiment) : experiment_(experiment) {}

    void setMetric(MetricId metric) { metric_ = metric; }
    /// Nothing when the evaluation is not about a single call path.
    void setCallPath(std::optional<CallPathId> path) { path_ = path; }

    std::optional<cubepl::Value> find(const std::string& name,
                                      std::optional<std::size_t> index) const override;

  private:
    std::optional<cubepl::Value> regionFact(const std::string& name, std::size_t index) const;
    std::optional<cubepl::Value> callPathFact(const std::string& name, std::size_t index) const;

    const Experiment& experiment_;
    MetricId metric_;
    std::optional<CallPathId> path_;
};

}  // namespace holos::algebra
