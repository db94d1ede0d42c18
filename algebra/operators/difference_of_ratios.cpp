// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/difference_of_ratios.h"

#include <regex>
#include <set>
#include <string>

namespace holos::algebra {

namespace {

/// `metric::NAME`, `metric::call::NAME` and their like.
const std::regex& reference() {
    static const std::regex made("\\bmetric::((?:context::|fixed::|call::)?)([A-Za-z_][A-Za-z0-9_]*)");
    return made;
}

constexpr const char* kUndefined = "0 / 0";

bool isRatio(const Metric& metric) {
    return metric.storage == Storage::PostDerived && !metric.expression.empty();
}

/// The hidden metrics of one of the two experiments in the difference.
class Terms {
  public:
    Terms(const Experiment& of, std::string ending, Experiment& difference)
        : of_(of), ending_(std::move(ending)), difference_(difference) {}

    /// The name of the metric's values of this experiment in the difference; adds them once.
    std::string add(const std::string& name) {
        const std::string hidden = name + ending_;
        const auto source = of_.findMetric(name);
        if (!source || !known_.insert(name).second || difference_.findMetric(hidden)) return hidden;
        Metric metric = of_.metrics[*source];
        metric.uniqueName = hidden;
        metric.displayName += ending_;
        metric.ghost = true;
        metric.attributes.clear();
        if (metric.origin != Origin::Ratio) metric.origin = Origin::Measured;
        if (!metric.hasValues()) metric.expression = expression(metric.expression);
        const bool isStored = metric.hasValues() && of_.severities.has(*source);
        const MetricId id = difference_.metrics.add(std::move(metric));
        if (isStored) difference_.severities.setRows(id, of_.severities.source(*source));
        return hidden;
    }

  private:
    std::string expression(const std::string& text) {
        std::string made;
        auto rest = text.cbegin();
        for (std::sregex_iterator at(text.begin(), text.end(), reference()), end; at != end; ++at) {
            made.append(rest, (*at)[0].first);
            made += "metric::" + at->str(1) + add(at->str(2));
            rest = (*at)[0].second;
        }
        return made.append(rest, text.cend());
    }

    const Experiment& of_;
    std::string ending_;
    Experiment& difference_;
    std::set<std::string> known_;
};

}  // namespace

void subtractRatios(const Experiment& first, const Experiment& second, Experiment& difference) {
    Terms ofFirst(first, "_of_first", difference), ofSecond(second, "_of_second", difference);
    const std::size_t before = difference.metrics.size();
    for (std::size_t at = 0; at < before; ++at) {
        const Metric& metric = difference.metrics[MetricId(at)];
        if (!isRatio(metric) || metric.ghost) continue;
        const bool isSimple = metric.initialisation.empty() && metric.aggregations.empty() &&
                              metric.expression.find("cube::") == std::string::npos;
        const std::string name = metric.uniqueName;
        const std::string text =
            isSimple ? "metric::" + ofFirst.add(name) + "() - metric::" + ofSecond.add(name) + "()"
                     : kUndefined;
        difference.metrics[MetricId(at)].expression = text;
        if (!isSimple) difference.metrics[MetricId(at)].initialisation.clear();
    }
}

}  // namespace holos::algebra
