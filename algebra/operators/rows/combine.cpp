// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rows/combine.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "algebra/model/structure.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/row_arithmetic.h"
#include "algebra/operators/unite/run_facts.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// Every metric stands for itself from now on.
void forgetDerivations(Experiment& experiment) {
    for (const MetricId id : experiment.metrics.ids()) {
        Metric& metric = experiment.metrics[id];
        if (isDerivedBySpecification(metric)) metric.origin = Origin::Measured;
        setAttribute(metric.attributes, kEventAttribute, {});
    }
    experiment.files.erase(kSpecificationFile);
}

}  // namespace

Experiment combineEachMetric(const char* operatorName, const Inputs& inputs, const Matching& matching,
                             DerivedMetrics derived, const CombineMetric& combine,
                             const std::vector<double>& factors) {
    if (inputs.empty()) throw Error(std::string(operatorName) + " needs at least one experiment");
    std::vector<MetricView> views;
    for (const Experiment& input : inputs)
        views.push_back(derived == DerivedMetrics::Combined ? withoutRatios(input) : everything(input));
    Union united = unite(inputs, views, matching);
    Experiment& result = united.result;
    for (const char* file : {kSpecificationFile, kInstancesFile, kWaitCourseFile})
        keepSharedFile(result, inputs, file);
    combineCommunication(united, inputs, factors);
    combineTimesOfRun(united, inputs, factors);
    const bool again = derived == DerivedMetrics::Reevaluated && result.files.contains(kSpecificationFile);
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (!metric.hasValues() || metric.isVoid || metric.valueType == ValueType::Compound) continue;
        if (again && isDerivedBySpecification(metric)) continue;
        setAttribute(metric.attributes, kRepetitionsAttribute, {});
        setAttribute(metric.attributes, kErrorAttribute, {});
        if (RowSource values = combine(united, id)) result.severities.setRows(id, std::move(values));
    }
    if (again) return deriveAgain(std::move(result));
    if (derived == DerivedMetrics::Combined) forgetDerivations(result);
    return std::move(result);
}

namespace {

/// An operand that was opened.
struct Input {
    RowsPtr rows;
    std::shared_ptr<const InputMap> map;
};

class CombinedRows final : public Rows {
  public:
    CombinedRows(std::size_t callPaths, std::size_t locations, double missing, std::vector<Input> inputs,
                 CombineRow combine, std::size_t passing)
        : Rows(callPaths, locations, missing),
          inputs_(std::move(inputs)),
          combine_(std::move(combine)),
          passing_(passing) {}

    bool hasRow(CallPathId path) const override {
        return std::ranges::any_of(inputs_, [path](const Input& input) { return has(input, path); });
    }
    bool isFar() const override {
        return std::ranges::any_of(inputs_,
                                   [](const Input& input) { return input.rows && input.rows->isFar(); });
    }

    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const override {
        const auto hasIt = [path](const Input& input) { return has(input, path); };
        const auto end = inputs_.begin() + static_cast<std::ptrdiff_t>(passing_);
        const auto one = std::find_if(inputs_.begin(), end, hasIt);
        if (one == end || !isAligned(*one) || std::any_of(one + 1, inputs_.end(), hasIt)) return std::nullopt;
        return one->rows->storedRow(*sourceIn(*one, path), scratch);
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        const auto memory = std::make_unique_for_overwrite<double[]>(inputs_.size() * locations());
        OperandRows operands;
        operands.reserve(inputs_.size());
        bool any = false;
        for (const Input& input : inputs_) {
            const std::span<double> place(memory.get() + operands.size() * locations(), locations());
            operands.push_back(aligned(input, path, place));
            any = any || !operands.back().empty();
        }
        if (!any) return {};
        combine_(operands, scratch.first(locations()));
        return scratch.first(locations());
    }

  private:
    static std::optional<CallPathId> sourceIn(const Input& input, CallPathId path) {
        return input.rows ? input.map->sources[path.index()] : std::nullopt;
    }

    static bool has(const Input& input, CallPathId path) {
        const auto source = sourceIn(input, path);
        return source && input.rows->hasRow(*source);
    }

    /// Whether its locations are the union's.
    bool isAligned(const Input& input) const {
        return input.map->sameLocations && input.rows->locations() == locations();
    }

    /// The input's row, in the union's order of locations.
    std::span<const double> aligned(const Input& input, CallPathId path, std::span<double> place) const {
        const auto source = sourceIn(input, path);
        if (!source) return {};
        if (isAligned(input)) return input.rows->row(*source, place);
        std::vector<double> own(input.rows->locations());
        const auto values = input.rows->row(*source, own);
        if (values.empty()) return {};
        std::ranges::fill(place, missing());
        for (std::size_t at = 0; at < values.size(); ++at)
            place[input.map->locations[at].index()] = values[at];
        return place;
    }

    std::vector<Input> inputs_;
    CombineRow combine_;
    std::size_t passing_;
};

/// Factors by location of the union.
std::vector<double> factorsInUnion(const Operand& operand, std::size_t locations) {
    if (operand.factors.empty()) return {};
    std::vector<double> factors(locations, 1.0);
    for (std::size_t at = 0; at < operand.factors.size(); ++at)
        factors[operand.map->locations[at].index()] = operand.factors[at];
    return factors;
}

bool isIdentity(const std::vector<CallPathId>& map) {
    for (std::size_t i = 0; i < map.size(); ++i)
        if (map[i].index() != i) return false;
    return true;
}

/// Whether dividing makes a mean of all operands, everywhere. (Metrics and locations may be missing.)
bool isMean(const std::vector<std::vector<double>>& factors, const std::vector<double>& divisors) {
    for (std::size_t at = 0; at < divisors.size(); ++at) {
        double sum = 0.0;
        for (const auto& each : factors) sum += each.empty() ? 1.0 : each[at];
        if (sum != divisors[at]) return false;
    }
    return !divisors.empty();
}

bool isWeighted(const std::vector<std::vector<double>>& factors) {
    return std::ranges::any_of(factors, [](const auto& each) { return !each.empty(); });
}

}  // namespace

RowSource combineRows(const Union& united, const std::vector<Operand>& operands, double missing,
                      CombineRow combine, std::size_t passing) {
    return [operands, missing, combine = std::move(combine), passing,
            callPaths = united.result.callTree.size(), locations = united.result.system.locations.size()] {
        std::vector<Input> inputs;
        for (const Operand& each : operands)
            inputs.push_back({each.values ? each.values() : nullptr, each.map});
        return std::make_shared<CombinedRows>(callPaths, locations, missing, std::move(inputs), combine,
                                              passing);
    };
}

RowSource weightedSum(const Union& united, const std::vector<Operand>& operands,
                      std::vector<double> divisors) {
    std::vector<std::vector<double>> factors;
    for (const Operand& operand : operands)
        factors.push_back(factorsInUnion(operand, united.result.system.locations.size()));
    // Half the sum of two equal values is exact.
    const bool mayRound = (operands.size() > 2 || isWeighted(factors)) && isMean(factors, divisors);
    const bool plain = divisors.empty() && !isWeighted(factors);
    return combineRows(
        united, operands, 0.0,
        [factors = std::move(factors), divisors = std::move(divisors), mayRound](const OperandRows& rows,
                                                                                 std::span<double> into) {
            std::ranges::fill(into, 0.0);
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (!rows[i].empty()) addWeighted(into, rows[i], factors[i]);
            divide(into, divisors);
            if (mayRound) keepEqual(into, rows);
        },
        plain ? operands.size() : 0);
}

RowSource difference(const Union& united, const std::vector<Operand>& operands) {
    const auto subtractRow = [](const OperandRows& rows, std::span<double> into) {
        std::ranges::fill(into, 0.0);
        if (!rows[0].empty()) std::ranges::copy(rows[0], into.begin());
        if (!rows[1].empty()) subtract(into, rows[1]);
    };
    return combineRows(united, operands, 0.0, subtractRow, 1);
}

RowSource extreme(const Union& united, const std::vector<Operand>& operands, ValueType type) {
    const double missing = missingValue(type);
    const bool minimum = type == ValueType::MinDouble;
    return combineRows(
        united, operands, missing, [missing, minimum](const OperandRows& rows, std::span<double> into) {
            std::ranges::fill(into, missing);
            for (const auto& row : rows)
                for (std::size_t at = 0; at < row.size(); ++at)
                    into[at] = minimum ? std::min(into[at], row[at]) : std::max(into[at], row[at]);
        });
}

std::vector<Operand> operandsOf(const Union& united, const Inputs& inputs, MetricId metric) {
    std::vector<Operand> operands;
    for (const Contribution& each : united.contributions[metric.index()])
        operands.push_back(
            {inputs[each.input].get().severities.source(each.metric), united.inputs[each.input], {}});
    return operands;
}

std::vector<Operand> operandPerInput(const Union& united, const Inputs& inputs, MetricId metric) {
    std::vector<Operand> operands;
    for (const auto& map : united.inputs) operands.push_back({nullptr, map, {}});
    for (const Contribution& each : united.contributions[metric.index()])
        operands[each.input].values = inputs[each.input].get().severities.source(each.metric);
    return operands;
}

bool isExtreme(ValueType type) {
    return type == ValueType::MinDouble || type == ValueType::MaxDouble;
}

bool allIntegral(const Rows& rows) {
    std::atomic<bool> integral = true;
    const std::size_t step = rowsPerBlock(rows.locations());
    const std::size_t blocks = (rows.callPaths() + step - 1) / step;
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
        std::vector<double> scratch(rows.locations());
        const std::size_t end = std::min((block + 1) * step, rows.callPaths());
        for (std::size_t at = block * step; at < end && integral; ++at) {
            const auto values = rows.row(CallPathId(at), scratch);
            if (std::ranges::any_of(values, [](double v) { return std::nearbyint(v) != v; }))
                integral = false;
        }
    });
    return integral;
}

void keepCompoundValues(Union& united, const Inputs& inputs) {
    for (const MetricId metric : united.result.metrics.ids()) {
        const auto& contributions = united.contributions[metric.index()];
        if (contributions.size() != 1) continue;
        const Contribution& only = contributions.front();
        const Experiment& input = inputs[only.input];
        const InputMap& map = *united.inputs[only.input];
        const bool whole = input.callTree.size() == united.result.callTree.size() &&
                           input.system.locations.size() == united.result.system.locations.size();
        const auto values = input.compoundValues.find(only.metric);
        if (whole && isIdentity(map.callPaths) && map.sameLocations && values != input.compoundValues.end())
            united.result.compoundValues.emplace(metric, values->second);
    }
}

}  // namespace holos::algebra
