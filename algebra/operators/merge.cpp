// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/merge.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "algebra/model/communication.h"
#include "algebra/model/structure.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/run_facts.h"
#include "algebra/operators/unite/unite.h"
#include "base/error.h"
#include "base/number.h"
#include "metric-specs/specification.h"

namespace holos::algebra {
namespace {

// How many measurements the values of a metric are the mean of, per location. Kept with the metric as an
// attribute, so that averages of averages weigh every measurement once and merging is associative.
// Text form: runs of equal counts, `COUNT` or `COUNT*LENGTH`, separated by commas; empty when all are 1.

constexpr std::uint32_t kMostRepetitions = 1u << 30;

std::optional<std::uint32_t> repetitionsIn(std::string_view text) {
    const auto number = asNumber<std::uint32_t>(text);
    return number && *number != 0 && *number <= kMostRepetitions ? number : std::nullopt;
}

/// Counts for that many locations; all 1 for a text that does not fit them.
std::vector<double> parseRepetitions(std::string_view text, std::size_t locations) {
    const std::vector<double> once(locations, 1.0);
    std::vector<double> counts;
    const bool uniform = text.find_first_of("*,") == std::string_view::npos;
    while (!text.empty()) {
        const std::string_view run = text.substr(0, text.find(','));
        text.remove_prefix(std::min(run.size() + 1, text.size()));
        const std::size_t star = run.find('*');
        const auto count = repetitionsIn(run.substr(0, star));
        const auto length = star == std::string_view::npos
                                ? std::optional<std::uint32_t>(uniform ? locations : 1)
                                : repetitionsIn(run.substr(star + 1));
        if (!count || !length || *length > locations - counts.size()) return once;
        counts.insert(counts.end(), *length, *count);
    }
    return counts.size() == locations ? counts : once;
}

std::string formatRepetitions(const std::vector<double>& counts) {
    const auto differs = [&counts](double count) { return count != counts.front(); };
    const auto textOf = [](double count) { return std::to_string(static_cast<std::uint64_t>(count)); };
    if (counts.empty()) return {};
    if (std::ranges::none_of(counts, differs))
        return counts.front() == 1.0 ? std::string() : textOf(counts.front());
    std::string text;
    for (auto run = counts.begin(); run != counts.end();) {
        const double count = *run;
        const auto end = std::find_if(run, counts.end(), [count](double other) { return other != count; });
        text += (text.empty() ? "" : ",") + textOf(count) + '*' + std::to_string(end - run);
        run = end;
    }
    return text;
}

/// How many measurements the metric's values are the mean of, by location.
std::vector<double> repetitionsOf(const Experiment& input, MetricId metric) {
    const auto text = attribute(input.metrics[metric].attributes, kRepetitionsAttribute);
    return parseRepetitions(text.value_or(""), input.system.locations.size());
}

/// The mean of one metric over the inputs that measured it. One that has the metric's parent, but not the
/// metric, has measured that there was nothing of it: analyzers leave such metrics out.
class Averager {
  public:
    Averager(const Union& united, const Inputs& inputs) : united_(united), inputs_(inputs) {}

    RowSource average(MetricId metric, Metric& description) {
        std::vector<Operand> operands = operandsOf(united_, inputs_, metric);
        const auto& contributions = united_.contributions[metric.index()];
        const std::vector<Contribution> measured = measurementsOf(metric);
        std::vector<double> total(united_.result.system.locations.size(), 0.0);
        for (std::size_t i = 0; i < measured.size(); ++i) {
            std::vector<double> counts = repetitionsOf(inputs_[measured[i].input], measured[i].metric);
            const auto& columns = united_.inputs[measured[i].input]->locations;
            for (std::size_t at = 0; at < columns.size(); ++at) total[columns[at].index()] += counts[at];
            if (i < contributions.size() && measured.size() > 1 && !allEqual(counts, 1.0))
                operands[i].factors = std::move(counts);
        }
        std::ranges::replace(total, 0.0, 1.0);  // locations without any measurement
        setAttribute(description.attributes, kRepetitionsAttribute, formatRepetitions(total));
        if (measured.size() == 1) return weightedSum(united_, operands);
        setAttribute(description.attributes, kErrorAttribute, {});  // it was that of one of them
        RowSource means = weightedSum(united_, operands, total);
        if (isIntegral(description.valueType) && !allIntegral(*means()))
            description.valueType = ValueType::Double;
        return means;
    }

  private:
    /// What the metric is a part of.
    std::optional<MetricId> wholeOf(MetricId metric) const {
        const auto& metrics = united_.result.metrics;
        const auto parent = metrics.parent(metric);
        const bool isPart = parent && metrics[*parent].hasValues() && !metrics[*parent].isVoid &&
                            metrics[*parent].unit == metrics[metric].unit;
        return isPart ? parent : std::nullopt;
    }
    /// The inputs' own first, then those that have but the nearest metric above, which is named.
    std::vector<Contribution> measurementsOf(MetricId metric) const {
        std::vector<Contribution> all = united_.contributions[metric.index()];
        const auto parent = wholeOf(metric);
        if (!parent) return all;
        for (const Contribution& above : measurementsOf(*parent))
            if (std::ranges::none_of(all,
                                     [&](const Contribution& each) { return each.input == above.input; }))
                all.push_back(above);
        return all;
    }
    static bool allEqual(const std::vector<double>& values, double value) {
        return std::ranges::all_of(values, [value](double each) { return each == value; });
    }

    const Union& united_;
    const Inputs& inputs_;
};

void mergeValues(Union& united, const Inputs& inputs) {
    Averager averager(united, inputs);
    Experiment& result = united.result;
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (!metric.hasValues() || metric.isVoid || metric.valueType == ValueType::Compound) continue;
        result.severities.setRows(id, isExtreme(metric.valueType)
                                          ? extreme(united, operandsOf(united, inputs, id), metric.valueType)
                                          : averager.average(id, metric));
    }
    keepCompoundValues(united, inputs);
}

/// How many runs what an input knows of the whole run is the mean of: as often as its first metric was
/// measured.
double runsOf(const Experiment& input) {
    const auto counts = input.metrics.empty() ? std::vector<double>{} : repetitionsOf(input, MetricId(0));
    return counts.empty() ? 1.0 : *std::ranges::max_element(counts);
}

/// The mean over the runs that know who sent to whom, each run weighing the same.
void averageCommunication(Union& united, const Inputs& inputs) {
    std::vector<double> runs;
    for (const Experiment& input : inputs)
        runs.push_back(input.files.contains(kCommunicationFile) ? runsOf(input) : 0.0);
    combineCommunication(united, inputs, runs, std::accumulate(runs.begin(), runs.end(), 0.0));
}

/// The mean over runs with the same threads, each run weighing the same. Where threads differ, each has the
/// mean of other runs.
void averageTimesOfRun(Union& united, const Inputs& inputs) {
    std::vector<double> runs;
    for (const Experiment& input : inputs) {
        if (input.system.locations.size() != united.result.system.locations.size())
            return combineTimesOfRun(united, inputs, {});
        runs.push_back(runsOf(input));
    }
    const double all = std::accumulate(runs.begin(), runs.end(), 0.0);
    for (double& one : runs) one /= all;
    combineTimesOfRun(united, inputs, runs);
}

}  // namespace

Experiment merge(const Inputs& inputs, const specs::Specification* specification, const Matching& matching) {
    if (inputs.empty()) throw Error("merge needs at least one experiment");
    std::vector<MetricView> views;
    for (const Experiment& input : inputs) views.push_back(measurements(input));
    Union united = unite(inputs, views, matching);
    mergeValues(united, inputs);
    averageCommunication(united, inputs);
    averageTimesOfRun(united, inputs);
    Experiment result = std::move(united.result);
    if (specification != nullptr) return derive(std::move(result), *specification);
    const auto carried = result.files.find(kSpecificationFile);
    if (carried == result.files.end()) return result;
    return derive(std::move(result), specs::parse(carried->second, kSpecificationFile));
}

}  // namespace holos::algebra
