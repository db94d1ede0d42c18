// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/missing_terms.h"

#include <algorithm>
#include <set>

#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "base/text.h"
#include "metric-specs/hierarchy.h"

namespace holos::algebra {
namespace {

using specs::MeasurementSet;
using specs::Specification;

std::vector<std::string> measuredEvents(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (metric.origin == Origin::Measured && metric.hasValues() && !metric.isVoid)
            names.push_back(eventName(metric));
    }
    return names;
}

/// Follows what is incomplete down to events.
class Search {
  public:
    Search(const Specification& specification, const std::vector<std::string>& measured)
        : spec_(specification), hierarchy_(specs::resolve(specification, measured)) {}

    void look(const std::string& metric) {
        std::vector<std::string> open{metric};
        while (!open.empty()) {
            const std::string name = std::move(open.back());
            open.pop_back();
            if (!seen_.insert(name).second || isComplete(name)) continue;
            // Further definitions of the name are alternatives to the first.
            const auto definition = std::ranges::find(spec_.definitions, name, &specs::Definition::name);
            if (definition == spec_.definitions.end()) {
                missing_.push_back(eventOf(name));
                continue;
            }
            const auto terms = definition->terms();
            open.insert(open.end(), terms.rbegin(), terms.rend());
        }
    }
    std::vector<std::string> take() { return std::move(missing_); }

  private:
    bool isComplete(const std::string& name) const {
        const auto node = hierarchy_.find(name);
        return node && hierarchy_.nodes[*node].state != specs::State::Unavailable &&
               !hierarchy_.nodes[*node].incomplete;
    }

    std::string eventOf(const std::string& name) const {
        for (const specs::Alias& alias : spec_.aliases)
            if (alias.name == name) return alias.event;
        return name;
    }

    const Specification& spec_;
    specs::Hierarchy hierarchy_;
    std::set<std::string> seen_;
    std::vector<std::string> missing_;
};

bool counts(const MeasurementSet& set, const std::string& event) {
    return std::ranges::find(set.events, event) != set.events.end();
}

/// Always the set next that counts most of what is left.
void chooseSets(const Specification& specification, MissingTerms& missing) {
    std::vector<std::string> left = missing.events;
    const auto gain = [&left](const MeasurementSet& set) {
        return std::ranges::count_if(left, [&](const std::string& event) { return counts(set, event); });
    };
    while (!left.empty()) {
        const auto best = std::ranges::max_element(
            specification.sets,
            [&](const MeasurementSet& a, const MeasurementSet& b) { return gain(a) < gain(b); });
        if (best == specification.sets.end() || gain(*best) == 0) break;
        missing.sets.push_back(best->name);
        std::erase_if(left, [&](const std::string& event) { return counts(*best, event); });
    }
    missing.uncovered = std::move(left);
}

}  // namespace

std::optional<MissingTerms> missingTerms(const Experiment& experiment, MetricId metric) try {
    const auto file = experiment.files.find(kSpecificationFile);
    if (!experiment.metrics[metric].incomplete || file == experiment.files.end()) return std::nullopt;
    const Specification specification = specs::parse(file->second, kSpecificationFile);
    Search search(specification, measuredEvents(experiment));
    const std::string& shown = experiment.metrics[metric].displayName;
    search.look(shown.starts_with('~') ? shown.substr(1) : shown);
    MissingTerms missing;
    missing.events = search.take();
    if (missing.events.empty()) return std::nullopt;
    chooseSets(specification, missing);
    return missing;
} catch (const Error&) {
    return std::nullopt;
}

std::string missingTermsText(const MissingTerms& missing) {
    std::string text = "without " + listOf(missing.events);
    if (missing.sets.empty()) return text + ", which no measurement set counts";
    const bool several = missing.sets.size() > 1;
    text += several ? "; the measurement sets " : "; the measurement set ";
    text += listOf(missing.sets) + (several ? " count" : " counts");
    return text +
           (missing.uncovered.empty() ? " what is missing" : " all of it but " + listOf(missing.uncovered));
}

}  // namespace holos::algebra
