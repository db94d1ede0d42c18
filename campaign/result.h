// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/operators/unite/inputs.h"
#include "campaign/plan.h"
#include "campaign/state.h"
#include "metric-specs/specification.h"

namespace holos::campaign {

/// A measured metric of an experiment, by the name of its event or its unique name.
struct MeasuredTotal {
    std::string name;
    algebra::MetricId metric;
    double total = 0.0;
};

/// Each event once, though it may stand in several hierarchies; without metrics that are not shown.
std::vector<MeasuredTotal> totalsOf(const algebra::Experiment& experiment);

/// How the total of a measured metric varies over the runs that measured it.
struct Variation {
    std::string metric;  ///< the name of its event, or its unique name
    std::string unit;
    std::vector<double> totals;       ///< in the order of the runs that measured it; at least two
    std::vector<std::size_t> inputs;  ///< these runs
    double mean = 0.0;
    double deviation = 0.0;  ///< with n - 1 in the denominator

    /// The deviation in parts of the mean; 0 when both are.
    double relative() const;
    /// Half of the interval that holds the mean of endlessly many runs with 95 % confidence, in parts of the
    /// mean.
    double knownWithin() const;
};

/// Of all metrics that at least two inputs measured and that are not zero everywhere, in the order in which
/// they first occur.
std::vector<Variation> variations(const algebra::Inputs& inputs);

/// A call path that not all runs have.
struct PartialCallPath {
    std::string path;                 ///< regions separated by `/`
    std::vector<std::size_t> inputs;  ///< numbers of the inputs that have it
};

/// Only the topmost ones: what is below such a call path is not listed.
std::vector<PartialCallPath> callPathsNotInAllRuns(const algebra::Inputs& inputs);

/// The standard deviation of each value, with n - 1 in the denominator, over those inputs that measured the
/// metric; metrics that only one measured are left out. A call path or location that an input lacks counts as
/// 0 there. Derived metrics and ratios are left out: sums of deviations are no deviations. Throws Error for
/// fewer than two inputs.
algebra::Experiment deviations(const algebra::Inputs& inputs);

/// The derived metrics of the merged experiment, by display names, that a varying measurement makes
/// meaningless: those made of it, or of such metrics. A composed metric is one of them only where the
/// deviation is more than the part `much` of its own total.
std::vector<std::string> metricsInvalidatedBy(const Variation& varying, double much,
                                              const specs::Specification& specification,
                                              const algebra::Experiment& merged);

/// The total of an event that was counted together with all others, in turns, and in runs that counted it all
/// of the time.
struct MultiplexedTotal {
    std::string event;
    std::string unit;
    double estimate = 0.0;
    std::vector<double> others;   ///< totals of the other runs; at least one
    double mean = 0.0;            ///< of these
    double deviation = 0.0;       ///< of these; 0 for one
    std::optional<double> error;  ///< that was stated: two standard deviations in parts of the estimate

    /// (estimate - mean) / mean; infinite where nothing was counted otherwise.
    double difference() const;
    /// Whether it is off by more than was stated, and by more than two standard deviations of the other runs;
    /// false where only one is there, as nothing is known of these.
    bool isFurtherOffThanStated() const;
};

/// Of all events that both counted, in the order of the multiplexed run. An error is stated where the
/// recorder knows it (`kErrorAttribute`): not for events that were counted all of the time.
std::vector<MultiplexedTotal> compareMultiplexed(const algebra::Experiment& multiplexed,
                                                 const std::vector<std::string>& events,
                                                 const algebra::Inputs& others);

/// As CSV, with a line of headings.
std::string tableOf(const std::vector<MultiplexedTotal>& totals);

/// How well a campaign knows what it measured.

/// Whether the total of one of these events is not known within this part of it. Events that nothing is known
/// of are zero in all runs, and certain.
bool isUncertain(const Measurement& events, const std::vector<Variation>& variations,
                 const specs::Specification& specification, double within);

/// A value that is another one where other events are counted beside it, by more than runs of the same events
/// differ: the measurement itself changes what is measured.
struct SetEffect {
    std::string metric;
    std::string unit;
    Measurement low;  ///< what was counted where it is least
    double lowMean = 0.0;
    Measurement high;  ///< and where it is most
    double highMean = 0.0;
};

/// Of metrics that runs of different events measured, of which one has been repeated: those whose means over
/// the runs of two sets of events are apart by 5 % and by twice what chance explains with 95 % confidence.
/// `measured`: what was counted in each input that the variations are of.
std::vector<SetEffect> setEffects(const std::vector<Variation>& variations,
                                  const std::vector<Measurement>& measured);

/// A measurement that varied much from run to run.
struct Doubt {
    Variation variation;
    bool isTime = false;               ///< counters of different runs were counted under different conditions
    std::vector<std::string> invalid;  ///< metrics derived from it, which mean little then
};

/// The finished runs that counted each event all of the time: those that the result is made of.
std::vector<Run> ordinaryRuns(const State& state);

/// What the finished runs of a campaign measured together.
struct Result {
    std::vector<std::filesystem::path> files;  ///< their analyses
    std::vector<algebra::Experiment> runs;     ///< what the files hold
    algebra::Experiment merged;
    std::vector<Variation> variations;  ///< this and what follows: nothing for one run
    std::vector<Doubt> doubts;
    std::vector<SetEffect> setEffects;
    std::vector<PartialCallPath> partialPaths;
    std::vector<MultiplexedTotal> multiplexed;  ///< of a run of all events, which is no part of the others

    algebra::Inputs inputs() const { return algebra::Inputs(runs.begin(), runs.end()); }
};

/// Merges them. Throws Error when no run finished.
Result unite(const std::filesystem::path& folder, const State& state,
             const specs::Specification& specification);

/// How what the finished runs measured varies, in their order; without the multiplexed one.
std::vector<Variation> variationsOf(const std::filesystem::path& folder, const State& state);

/// Variations as CSV, with a line of headings.
std::string tableOf(const std::vector<Variation>& variations);

}  // namespace holos::campaign
