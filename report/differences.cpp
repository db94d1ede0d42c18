// SPDX-License-Identifier: BSD-3-Clause
#include "report/differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "algebra/insight/runs/change.h"
#include "algebra/model/call_names.h"
#include "algebra/operators/history/metric_names.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "metric-specs/formula.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"

namespace holos::report {

using namespace algebra;

namespace {

algebra::RunGroup groupOf(const Subjects& subjects, std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    algebra::RunGroup group;
    for (std::size_t at = from; at < to; ++at) {
        names.push_back(subjects.name(at));
        group.runs.emplace_back(subjects.experiment(at));
    }
    group.name = algebra::nameOfGroup(names);
    return group;
}

}  // namespace

std::vector<std::string> changeOf(const Subjects& subjects, std::size_t before) {
    if (before == 0 && subjects.size() == 2) before = 1;
    if (before == 0 || before >= subjects.size()) return {};
    algebra::Matching loosely;
    loosely.loosely = true;
    const auto change = algebra::changeBetween(groupOf(subjects, 0, before),
                                               groupOf(subjects, before, subjects.size()), loosely);
    return change ? change->sentences : std::vector<std::string>();
}

namespace {

constexpr double kTwice = 2.0;
constexpr double kWorthSaying = 0.5;  // percent of the time, in at least one experiment
constexpr double kPoints = 5.0;       // percentage points by which parts of a counter differ
constexpr std::size_t kMostSentences = 12;

struct Extremes {
    std::size_t smallest = 0, largest = 0;
};

/// Where the shares are smallest and largest, among the experiments that have any.
std::optional<Extremes> extremesOf(const std::vector<double>& shares) {
    std::optional<Extremes> found;
    for (std::size_t at = 0; at < shares.size(); ++at) {
        if (!std::isfinite(shares[at])) continue;
        if (!found) found = Extremes{at, at};
        if (shares[at] < shares[found->smallest]) found->smallest = at;
        if (shares[at] > shares[found->largest]) found->largest = at;
    }
    return found;
}

struct Sentence {
    double weight;
    std::string text;
};

/// Whether two call paths end with the same calls; one that is shorter differs.
bool endAlike(const Experiment& structure, CallPathId first, CallPathId second, std::size_t regions) {
    std::optional<CallPathId> one = first, other = second;
    for (; regions > 0 && one && other; --regions) {
        if (structure.regionOf(*one).name != structure.regionOf(*other).name ||
            callSiteText(structure.callTree[*one]) != callSiteText(structure.callTree[*other]))
            return false;
        one = structure.callTree.parent(*one);
        other = structure.callTree.parent(*other);
    }
    return regions == 0 || (!one && !other);
}

/// The region with the one that calls it, or as many as tell it from other call paths: `glblmax
/// MPI_Allreduce`.
std::string shortPath(const Experiment& structure, CallPathId path) {
    const auto& paths = structure.callTree.ids();
    const auto isAmbiguous = [&](std::size_t regions) {
        return std::ranges::any_of(paths, [&](CallPathId other) {
            return other != path && endAlike(structure, path, other, regions);
        });
    };
    std::string text = callText(structure, path);
    std::size_t regions = 1;
    for (auto up = structure.callTree.parent(path); up && (regions < 2 || isAmbiguous(regions)); ++regions) {
        text.insert(0, callText(structure, *up) + ' ');
        up = structure.callTree.parent(*up);
    }
    return text;
}

std::string times(double more, double less) {
    return less == 0.0 ? "only" : fmt::format("{:.1f} ×", more / less);
}

class Differences {
  public:
    explicit Differences(const Subjects& subjects) : subjects_(subjects) {
        if (const auto time = subjects.find("time")) wholes_ = subjects.totals(*time);
    }

    std::vector<std::string> take() {
        if (subjects_.size() < 2) return {};
        if (!wholes_.empty()) {
            compareTimes();
            compareWaits();
        }
        compareParts();
        std::ranges::stable_sort(sentences_, std::ranges::greater(), &Sentence::weight);
        std::vector<std::string> texts;
        for (const Sentence& each : sentences_)
            if (texts.size() < kMostSentences) texts.push_back(each.text);
        return texts;
    }

  private:
    std::vector<double> shares(const std::vector<double>& values) const {
        std::vector<double> result;
        for (std::size_t at = 0; at < values.size(); ++at) result.push_back(100.0 * values[at] / wholes_[at]);
        return result;
    }

    void compareTimes() {
        for (const char* name : {"mpi", "omp_time", "execution"}) {
            const auto metric = subjects_.find(name);
            if (!metric) continue;
            const auto part = shares(subjects_.totals(*metric));
            const auto ends = extremesOf(part);
            if (!ends || part[ends->largest] < kWorthSaying) continue;
            const double more = part[ends->largest], less = part[ends->smallest];
            if (more < kTwice * less && more - less < kPoints) continue;
            sentences_.push_back(
                {more - less,
                 fmt::format("{} takes {:.1f} % of the time on {} and {:.1f} % on {}",
                             subjects_.metrics()[*metric].displayName, more, subjects_.name(ends->largest),
                             less, subjects_.name(ends->smallest))});
        }
    }

    /// A run that lacks a call path, as one of another program does, does not wait less there.
    void compareWaits() {
        for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects_.structure())) {
            std::vector<std::vector<double>> values;
            for (std::size_t at = 0; at < subjects_.size(); ++at) values.push_back(subjects_.perPath(at, id));
            for (const CallPathId path : subjects_.structure().callTree.ids()) {
                std::vector<double> here;
                for (std::size_t at = 0; at < values.size(); ++at)
                    here.push_back(subjects_.pathOf(at, path) ? values[at][path.index()] : kNothing);
                compareWait(id, path, shares(here));
            }
        }
    }

    void compareWait(MetricId metric, CallPathId path, const std::vector<double>& part) {
        const auto ends = extremesOf(part);
        if (!ends) return;
        const double more = part[ends->largest], less = part[ends->smallest];
        if (more < kWorthSaying || more < kTwice * less) return;
        const std::string where = shortPath(subjects_.structure(), path);
        const std::string& what = subjects_.metrics()[metric].displayName;
        const std::string &most = subjects_.name(ends->largest), &least = subjects_.name(ends->smallest);
        sentences_.push_back(
            {more - less,
             less == 0.0 ? fmt::format("{} waits on {} and not on {} ({}: {:.2f} % of the time)", where, most,
                                       least, what, more)
                         : fmt::format("{} waits {} longer on {} than on {}, relative to time ({}: {:.2f} % "
                                       "against {:.2f} %)",
                                       where, times(more, less), most, least, what, more, less)});
    }

    /// Parts of counters, relative to the root of their hierarchy.
    void compareParts() {
        for (const MetricId root : subjects_.metrics().roots()) {
            const Metric& whole = subjects_.metrics()[root];
            if (whole.unit == "sec" || !whole.hasValues()) continue;
            const auto all = subjects_.totals(root);
            for (const MetricId id : subjects_.metrics().subtree(root)) {
                if (id == root || subjects_.metrics()[id].unit != whole.unit) continue;
                std::vector<double> part = subjects_.totals(id);
                for (std::size_t at = 0; at < part.size(); ++at) part[at] *= 100.0 / all[at];
                const auto ends = extremesOf(part);
                if (!ends || part[ends->largest] - part[ends->smallest] < kPoints) continue;
                sentences_.push_back({(part[ends->largest] - part[ends->smallest]) / 10.0,
                                      fmt::format("{} is {:.1f} % of {} on {} and {:.1f} % on {}",
                                                  subjects_.metrics()[id].displayName, part[ends->largest],
                                                  whole.displayName, subjects_.name(ends->largest),
                                                  part[ends->smallest], subjects_.name(ends->smallest))});
            }
        }
    }

    const Subjects& subjects_;
    std::vector<double> wholes_;
    std::vector<Sentence> sentences_;
};

}  // namespace

std::vector<std::string> differencesOf(const Subjects& subjects) {
    return Differences(subjects).take();
}

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
            return specs::formulaText(definition.formula);
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

void addMeanings(const Subjects& subjects, MetricId id, const Specifications& specifications,
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

std::vector<std::string> differentMeanings(const Subjects& subjects) {
    Specifications specifications;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        specifications.push_back(specificationOf(subjects.experiment(at)));
    std::vector<std::string> notes;
    for (const MetricId id : subjects.metrics().ids()) addMeanings(subjects, id, specifications, notes);
    return notes;
}

}  // namespace holos::report
