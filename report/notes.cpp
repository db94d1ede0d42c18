// SPDX-License-Identifier: BSD-3-Clause
// What is not the same under the same name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "metric-specs/formula.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"
#include "report/comparison.h"

namespace holos::report {

using namespace algebra;

namespace {

using Specifications = std::vector<std::optional<specs::Specification>>;

std::optional<specs::Specification> specificationOf(const Experiment& experiment) {
    const auto file = experiment.files.find(algebra::kSpecificationFile);
    if (file == experiment.files.end()) return std::nullopt;
    try {
        return specs::parse(file->second, algebra::kSpecificationFile);
    } catch (const Error&) {
        return std::nullopt;  // the configuration table says so
    }
}

/// What a metric counts: an event, or a formula of its specification.
std::string meaningOf(const Metric& metric, const std::optional<specs::Specification>& specification) {
    if (metric.origin == Origin::Measured) return eventName(metric);
    if (!specification) return {};
    for (const auto& definition : specification->definitions)
        if (definition.name == metric.displayName && definition.kind != specs::Definition::Kind::Ratio)
            return specs::textOf(definition.formula);
    return {};
}

/// Which experiments say which of several things; nothing where all say the same.
using Sayings = std::map<std::string, std::vector<std::string>>;
template <class SayingOf>
std::string different(const Subjects& subjects, MetricId id, SayingOf sayingOf) {
    Sayings sayings;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (const auto own = subjects.metricOf(at, id))
            if (auto saying = sayingOf(at, subjects.experiment(at).metrics[*own]); !saying.empty())
                sayings[std::move(saying)].push_back(subjects.name(at));
    if (sayings.size() < 2) return {};
    std::vector<std::string> parts;
    for (const auto& [saying, names] : sayings)
        parts.push_back(fmt::format("{} on {}", saying, fmt::join(names, ", ")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

void addNotes(const Subjects& subjects, MetricId id, const Specifications& specifications,
              std::vector<std::string>& notes) {
    const Metric& metric = subjects.metrics()[id];
    const std::string& name = metric.displayName;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (const auto own = subjects.metricOf(at, id);
            own && subjects.experiment(at).metrics[*own].incomplete)
            notes.push_back(fmt::format("{} is incomplete on {}: some of its terms were not measured", name,
                                        subjects.name(at)));
    const std::string meanings = different(
        subjects, id, [&](std::size_t at, const Metric& own) { return meaningOf(own, specifications[at]); });
    if (!meanings.empty()) notes.push_back(fmt::format("{} is not the same everywhere: {}", name, meanings));
    // Tools describe times in words of their own; counters differ by platform.
    if (metric.unit == "sec" || specs::isTraceMetric(metric.uniqueName)) return;
    const std::string descriptions = different(subjects, id, [](std::size_t, const Metric& own) {
        return own.description.empty() ? "" : '"' + own.description + '"';
    });
    if (!descriptions.empty()) notes.push_back(fmt::format("{} means: {}", name, descriptions));
}

}  // namespace

std::vector<std::string> notesOf(const Subjects& subjects) {
    Specifications specifications;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        specifications.push_back(specificationOf(subjects.experiment(at)));
    std::vector<std::string> notes;
    for (const MetricId id : subjects.metrics().ids()) addNotes(subjects, id, specifications, notes);
    return notes;
}

}  // namespace holos::report
