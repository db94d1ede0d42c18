// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "metric-specs/specification.h"

namespace holos::algebra {

/// A call path to which a finding applies. All numbers are its own, without the call paths below it, over all
/// locations.
struct FindingPlace {
    CallPathId path;
    std::optional<double> time;  ///< seconds that were measured; nothing in an experiment without `time`
    std::vector<double> values;  ///< the left side of each condition
};

/// A condition of a finding, and how it stands in all call paths of the finding together.
struct FindingValue {
    std::string name;       ///< the left side: a metric, or a formula
    std::string condition;  ///< the whole: `L1D_MISS_RATE > 10`
    std::string unit;       ///< of the left side, when it is one metric
    double value = 0.0;     ///< of the left side
};

/// Of which part most is, in all call paths of a finding together.
struct FindingPart {
    MetricId whole;
    MetricId part;
    std::vector<std::string> besides;  ///< names of parts that are no answer
    double percent = 0.0;              ///< of the whole without those
};

/// A finding that applies somewhere. Its time is the time spent in its call paths; how much of it the finding
/// costs is said only where that was measured, too.
struct FindingResult {
    std::string name;
    std::string title;
    std::string explanation;
    std::vector<FindingValue> values;
    std::vector<FindingPlace> places;  ///< most time first
    std::optional<double> time;        ///< of all places, in seconds
    std::optional<double> percent;     ///< of the time of the experiment
    std::optional<FindingPart> mostly;
    /// What it costs, in seconds, where a metric measures that.
    std::optional<double> cost;
};

/// A finding that cannot be looked for: what it needs was not measured, or only in part.
struct FindingUnknown {
    std::string name;
    std::string title;
    std::string why;
};

struct FindingReport {
    std::vector<FindingResult> found;  ///< most time first
    std::vector<FindingUnknown> unknown;
    std::vector<std::string> nowhere;  ///< names of findings that apply to no call path
};

/// Evaluates the findings of the specification that the experiment's metrics were derived with, for each call
/// path alone. Conditions on something undefined hold nowhere. Pure; thread safety: safe. Throws
/// `holos::Error` when the experiment has no specification, and when it is a difference of others or
/// something else that thresholds were not made for.
FindingReport findings(const Experiment& experiment);
/// The findings of a specification whose metrics the experiment has.
FindingReport findings(const Experiment& experiment, const specs::Specification& specification);

}  // namespace holos::algebra
