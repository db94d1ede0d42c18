// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/merge.h"

#include <algorithm>

#include "algebra/model/communication.h"
#include "algebra/model/value_kinds.h"
#include "algebra/operators/combine.h"
#include "algebra/operators/derive.h"
#include "algebra/operators/metric_names.h"
#include "algebra/operators/repetitions.h"
#include "algebra/operators/run_files.h"
#include "algebra/operators/unite.h"
#include "metric-specs/error.h"

namespace holos::algebra {
namespace {

/// The mean of one metric over the inputs that measured it.
class Averager {
  public:
    Averager(const Union& united, const Inputs& inputs) : united_(united), inputs_(inputs) {}

    RowSource average(MetricId metric, Metric& description) {
        const auto& contributions = united_.contributions[metric.index()];
        std::vector<Operand> operands = operandsOf(united_, inputs_, metric);
        std::vector<double> total(united_.result.system.locations.size(), 0.0);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            std::vector<double> counts = repetitionsOf(contributions[i]);
            const auto& columns = operands[i].map->locations;
            for (std::size_t at = 0; at < columns.size(); ++at) total[columns[at].index()] += counts[at];
            if (operands.size() > 1 && !allEqual(counts, 1.0)) operands[i].factors = std::move(counts);
        }
        std::replace(total.begin(), total.end(), 0.0, 1.0);  // locations without any measurement
        setAttribute(description.attributes, kRepetitionsAttribute, formatRepetitions(total));
        if (operands.size() == 1) return weightedSum(united_, operands);
        RowSource means = weightedSum(united_, operands, total);
        if (isIntegral(description.valueType) && !allIntegral(*means()))
            description.valueType = ValueType::Double;
        return means;
    }

  private:
    std::vector<double> repetitionsOf(const Contribution& each) const {
        const Experiment& input = inputs_[each.input];
        const auto text = attribute(input.metrics[each.metric].attributes, kRepetitionsAttribute);
        return parseRepetitions(text.value_or(""), input.system.locations.size());
    }

    static bool allEqual(const std::vector<double>& values, double value) {
        return std::all_of(values.begin(), values.end(), [value](double each) { return each == value; });
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

/// As with the longest waits, the first run that has it is the one to look at.
std::vector<double> firstWithCommunication(const Inputs& inputs) {
    std::vector<double> factors(inputs.size(), 0.0);
    for (std::size_t at = 0; at < inputs.size(); ++at)
        if (inputs[at].get().files.contains(kCommunicationFile)) {
            factors[at] = 1.0;
            break;
        }
    return factors;
}

}  // namespace

Experiment merge(const Inputs& inputs, const specs::Specification* specification, const Matching& matching) {
    if (inputs.empty()) throw Error("merge needs at least one experiment");
    std::vector<MetricView> views;
    for (const Experiment& input : inputs) views.push_back(measurements(input));
    Union united = unite(inputs, views, matching);
    mergeValues(united, inputs);
    combineCommunication(united, inputs, firstWithCommunication(inputs));
    Experiment result = std::move(united.result);
    if (specification != nullptr) return derive(std::move(result), *specification);
    const auto carried = result.files.find(kSpecificationFile);
    if (carried == result.files.end()) return result;
    return derive(std::move(result), specs::parse(carried->second, kSpecificationFile));
}

}  // namespace holos::algebra
