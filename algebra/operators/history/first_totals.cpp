// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/first_totals.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "algebra/model/number_lines.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/provenance.h"

namespace holos::algebra {

namespace {

/// The member of `Experiment::files` of a difference: a line for each metric with its name and value.
constexpr const char* kFirstTotalsFile = "holos.first";

/// Made of a difference alone, such as by cutting it, or one itself.
bool isDifference(const Provenance& made) {
    if (made.operation == "diff") return true;
    return made.inputs.size() == 1 && !made.inputs.front().origin.empty() &&
           isDifference(made.inputs.front().origin.front());
}

}  // namespace

void keepTotalsOfFirst(const Experiment& first, Experiment& difference) {
    std::string text;
    for (const MetricId id : first.metrics.ids()) {
        const Metric& metric = first.metrics[id];
        if (metric.ghost || metric.origin == Origin::Ratio) continue;
        const double total = aggregate(first, {id, Extent::Inclusive});
        if (std::isfinite(total)) text += numberLineText({metric.uniqueName, {total}});
    }
    difference.files[kFirstTotalsFile] = text;
}

Wholes::Wholes(const Experiment& experiment) : experiment_(experiment) {
    const auto made = provenanceOf(experiment);
    isOfDifference_ = made && isDifference(*made);
    const auto file = experiment.files.find(kFirstTotalsFile);
    if (!isOfDifference_ || file == experiment.files.end()) return;
    std::istringstream lines(file->second);
    for (std::string text; std::getline(lines, text);)
        if (const auto line = numberLineIn(text); line && line->numbers.size() == 1)
            first_.emplace(line->name, line->numbers.front());
}

double Wholes::of(MetricId metric) const {
    constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();
    if (isOfDifference_) {
        const auto known = first_.find(experiment_.metrics[metric].uniqueName);
        return known == first_.end() || known->second == 0 ? kNoShare : known->second;
    }
    const double whole = aggregate(experiment_, {metric, Extent::Inclusive});
    return std::isfinite(whole) && whole != 0 ? whole : kNoShare;
}

}  // namespace holos::algebra
