// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "base/suggest.h"
#include "report/comparison.h"
#include "report/section_rows.h"

namespace holos::report {

// What is spent and counted in call paths that somebody asks for, as Table 1 of the KOJAK paper has it of
// `init` and `runhyd`.
using namespace algebra;

namespace {

/// The outermost call paths of a function of this name, or the one call path that a longer text names.
std::vector<CallPathChoice> pathsNamed(const Experiment& experiment, const std::string& name) {
    std::vector<CallPathChoice> found;
    if (name.find('/') != std::string::npos) {
        if (const auto path = callPathNamed(experiment, name)) found.push_back({*path, Extent::Inclusive});
        return found;
    }
    std::vector<bool> isBelow(experiment.callTree.size(), false);
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        const bool isInside = parent && isBelow[parent->index()];
        const bool isIt = experiment.regionOf(path).name == name;
        isBelow[path.index()] = isInside || isIt;
        if (isIt && !isInside) found.push_back({path, Extent::Inclusive});
    }
    return found;
}

[[noreturn]] void failUnknown(const Subjects& subjects, const std::string& name) {
    std::vector<std::string> names;
    for (const Region& region : subjects.structure().regions) names.push_back(region.name);
    throw Error("--call-paths: no experiment has a call path '" + name + '\'' + didYouMean(name, names));
}

class OnePath {
  public:
    OnePath(const Subjects& subjects, const std::string& name) : subjects_(subjects), name_(name) {
        bool isAnywhere = false;
        for (std::size_t at = 0; at < subjects.size(); ++at) {
            paths_.push_back(pathsNamed(subjects.experiment(at), name));
            isAnywhere = isAnywhere || !paths_.back().empty();
        }
        if (!isAnywhere) failUnknown(subjects, name);
    }

    Section section() const {
        Section section{
            "Call path " + name_,
            "With all that is called there; percentages are of what the whole run has, ratios are "
            "evaluated there.",
            {}};
        section.rows.push_back(wallTime());
        const ValueOf here = [&](std::size_t at, MetricId metric) { return total(at, metric); };
        const ValueOf whole = [&](std::size_t at, MetricId metric) { return subjects_.total(at, metric); };
        for (const MetricId root : genericFirst(subjects_, subjects_.metrics().roots())) {
            const Metric& metric = subjects_.metrics()[root];
            const bool isCause = metric.unit == "sec" && metric.uniqueName != "time" && !isRatio(metric);
            if (!isCause) addTree(subjects_, root, here, whole, section.rows);
        }
        return section;
    }

  private:
    double total(std::size_t at, MetricId metric) const {
        const auto own = subjects_.metricOf(at, metric);
        if (!own || paths_[at].empty()) return kNothing;
        return aggregate(subjects_.experiment(at), {*own, Extent::Inclusive}, paths_[at]);
    }

    /// What the location takes that is there for longest.
    Row wallTime() const {
        Row row{"Wall time", 0, "sec", {}};
        for (std::size_t at = 0; at < subjects_.size(); ++at) {
            const Experiment& experiment = subjects_.experiment(at);
            const auto time = experiment.findMetric("time");
            if (!time || paths_[at].empty()) {
                row.cells.push_back({kNothing, {}, false});
                continue;
            }
            const double here = longest(experiment, *time, paths_[at]);
            row.cells.push_back({here, percentOf(here, longest(experiment, *time, kAll)), true});
        }
        return row;
    }
    static double longest(const Experiment& experiment, MetricId time, const ChosenPaths& paths) {
        const std::vector<double> values = perLocation(experiment, {time, Extent::Inclusive}, paths);
        return values.empty() ? kNothing : *std::ranges::max_element(values);
    }

    const Subjects& subjects_;
    const std::string& name_;
    std::vector<std::vector<CallPathChoice>> paths_;  ///< by experiment
};

}  // namespace

std::vector<Section> callPathSections(const Subjects& subjects, const std::vector<std::string>& names) {
    std::vector<Section> sections;
    for (const std::string& name : names) sections.push_back(OnePath(subjects, name).section());
    return sections;
}

}  // namespace holos::report
