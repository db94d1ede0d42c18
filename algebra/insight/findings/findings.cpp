// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/findings.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "algebra/insight/findings/named_values.h"
#include "algebra/insight/findings/roofline.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "base/error.h"
#include "base/text.h"
#include "metric-specs/formula.h"
#include "metric-specs/trace_metrics.h"

namespace holos::algebra {
namespace {

using specs::Comparison;

/// Looks for the findings of one specification in one experiment.
class Finder {
  public:
    Finder(const Experiment& experiment, const specs::Specification& specification)
        : experiment_(experiment), spec_(specification), values_(experiment) {
        for (const MetricId id : experiment.metrics.ids())
            if (auto error = attribute(experiment.metrics[id].attributes, kErrorAttribute))
                errors_.emplace(eventName(experiment.metrics[id]), std::move(*error));
        if (auto use = bandwidthUseOf(experiment))
            values_.addShare(std::string(specs::kBandwidthShare),
                             {std::move(use->bytes), std::move(use->possible)});
        const auto time = experiment.findMetric("time");
        if (!time || experiment.metrics[*time].unit != "sec") return;
        time_ = values_.perCallPath(*time);
        whole_ = std::accumulate(time_->begin(), time_->end(), 0.0);
    }

    FindingReport run() {
        for (const specs::Finding& each : spec_.findings) look(each);
        const auto percent = [](const FindingResult& result) { return result.percent.value_or(0.0); };
        std::ranges::stable_sort(report_.found, [&](const FindingResult& a, const FindingResult& b) {
            return percent(a) > percent(b);
        });
        return std::move(report_);
    }

  private:
    void look(const specs::Finding& finding) {
        const auto& texts = spec_.descriptions.at(finding.name);
        if (const std::string why = whyUnknown(finding); !why.empty())
            return report_.unknown.push_back({finding.name, texts.front(), why});
        FindingResult result;
        result.name = finding.name;
        result.title = texts.front();
        for (std::size_t i = 1; i < texts.size(); ++i) result.explanation += (i > 1 ? " " : "") + texts[i];
        addTrust(finding, result.explanation);
        result.places = placesOf(finding);
        if (result.places.empty()) return report_.nowhere.push_back(finding.name);
        addTime(result);
        std::vector<CallPathId> paths;
        for (const FindingPlace& place : result.places) paths.push_back(place.path);
        for (const Comparison& condition : finding.conditions)
            result.values.push_back({specs::formulaText(condition.left), condition.text(),
                                     unitOf(condition.left), values_.of(condition.left, paths)});
        if (!finding.mostly.empty()) result.mostly = largestPart(finding, paths);
        result.cost = costOf(finding, paths);
        report_.found.push_back(std::move(result));
    }

    /// What is known of the counters behind the conditions.
    void addTrust(const specs::Finding& finding, std::string& explanation) const {
        std::vector<std::string> metrics;
        for (const Comparison& condition : finding.conditions)
            metrics.insert(metrics.end(), condition.left.terms.begin(), condition.left.terms.end());
        std::string text;
        const auto add = [&text](const std::string& name, const std::string& known) {
            text += (text.empty() ? "" : "; ") + name + ": " + known;
        };
        for (const std::string& name : spec_.allBehind(metrics)) {
            if (const auto known = spec_.trust.find(name); known != spec_.trust.end())
                add(name, known->second);
            if (const auto error = errors_.find(name); error != errors_.end())
                add(name, "multiplexed, its sum is known within " + error->second + " %");
        }
        if (!text.empty())
            explanation += (explanation.empty() ? "" : " ") + ("Accuracy of the counters: " + text + '.');
    }

    /// Empty when all that the conditions need is there.
    std::string whyUnknown(const specs::Finding& finding) const {
        std::vector<std::string> missing, incomplete;
        const auto look = [&](const std::string& term) {
            const auto metric = values_.find(term);
            if (values_.isKnown(term) && !(metric && experiment_.metrics[*metric].incomplete)) return;
            auto& names = metric ? incomplete : missing;
            if (std::ranges::find(names, term) == names.end()) names.push_back(term);
        };
        for (const Comparison& condition : finding.conditions)
            for (const specs::Formula* side : {&condition.left, &condition.right})
                for (const std::string& term : side->terms) look(term);
        std::string why;
        if (!missing.empty()) why = "without " + listOf(missing);
        if (!incomplete.empty())
            why += (why.empty() ? "" : "; ") + listOf(incomplete) +
                   (incomplete.size() == 1 ? " is incomplete" : " are incomplete");
        return why;
    }

    std::vector<FindingPlace> placesOf(const specs::Finding& finding) {
        std::vector<std::vector<double>> left, right;
        for (const Comparison& condition : finding.conditions) {
            left.push_back(values_.perCallPath(condition.left));
            right.push_back(values_.perCallPath(condition.right));
        }
        std::vector<FindingPlace> places;
        for (const CallPathId path : experiment_.callTree.ids()) {
            const std::size_t at = path.index();
            FindingPlace place{path, time_ ? std::optional((*time_)[at]) : std::nullopt, {}};
            bool holds = true;
            for (std::size_t i = 0; i < finding.conditions.size(); ++i) {
                holds = holds && finding.conditions[i].holds(left[i][at], right[i][at]);
                place.values.push_back(left[i][at]);
            }
            if (holds) places.push_back(std::move(place));
        }
        std::ranges::stable_sort(places, [](const FindingPlace& a, const FindingPlace& b) {
            return a.time.value_or(0.0) > b.time.value_or(0.0);
        });
        return places;
    }

    void addTime(FindingResult& result) const {
        if (!time_) return;
        result.time = std::accumulate(
            result.places.begin(), result.places.end(), 0.0,
            [](double sum, const FindingPlace& place) { return sum + place.time.value_or(0.0); });
        if (whole_ > 0.0) result.percent = 100.0 * *result.time / whole_;
    }

    std::string unitOf(const specs::Formula& formula) const {
        if (formula.steps.size() != 1 || formula.terms.size() != 1) return {};
        return values_.unitOf(formula.terms.front());
    }

    /// Nothing when less than all parts are known: another one might be larger.
    std::optional<FindingPart> largestPart(const specs::Finding& finding,
                                           const std::vector<CallPathId>& paths) {
        const auto whole = values_.find(finding.mostly);
        if (!whole || experiment_.metrics[*whole].incomplete) return std::nullopt;
        std::vector<MetricId> excluded;
        for (const std::string& name : finding.besides)
            if (const auto child = values_.find(name)) excluded.push_back(*child);
        std::optional<MetricId> largest;
        double most = 0.0, sum = 0.0;
        for (const MetricId child : experiment_.metrics.children(*whole)) {
            if (std::ranges::find(excluded, child) != excluded.end()) continue;
            const double value = values_.of(child, paths);
            sum += value;
            if (!(value > most)) continue;
            largest = child;
            most = value;
        }
        if (!largest || !(sum > 0.0)) return std::nullopt;
        return FindingPart{*whole, *largest, finding.besides, 100.0 * most / sum};
    }

    std::optional<double> costOf(const specs::Finding& finding, const std::vector<CallPathId>& paths) const {
        const auto metric = finding.costs.empty() ? std::nullopt : values_.find(finding.costs);
        if (!metric || experiment_.metrics[*metric].incomplete) return std::nullopt;
        return values_.of(*metric, paths);
    }

    const Experiment& experiment_;
    const specs::Specification& spec_;
    NamedValues values_;
    std::map<std::string, std::string> errors_;  ///< by counter: of those that were multiplexed
    std::optional<std::vector<double>> time_;
    double whole_ = 0.0;
    FindingReport report_;
};

/// Thresholds are meant for what happened in a run.
void mustBeOfRuns(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    if (made && (made->operation == "diff" || made->operation == "stddev"))
        throw Error("findings are about runs, and this is the result of `holos " + made->operation + "`");
}

}  // namespace

FindingReport findings(const Experiment& experiment) {
    mustBeOfRuns(experiment);
    const auto carried = experiment.files.find(kSpecificationFile);
    if (carried == experiment.files.end())
        throw Error(
            "the experiment has no specification, which defines findings; `holos derive` applies one");
    return findings(experiment, specs::parse(carried->second, kSpecificationFile));
}

FindingReport findings(const Experiment& experiment, const specs::Specification& specification) {
    mustBeOfRuns(experiment);
    return Finder(experiment, specification).run();
}

}  // namespace holos::algebra
