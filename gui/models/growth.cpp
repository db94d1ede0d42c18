// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/growth.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "gui/models/background.h"

namespace holos::gui {

using namespace algebra::scaling;

namespace {

/// How far from the largest run a prediction looks when nobody says it, as in `holos scaling`.
constexpr double kTimesTheLargest = 4;

StudyPtr studyOf(const std::vector<NamedExperiment>& experiments) {
    if (experiments.size() < 2)
        throw Error("Open experiments of runs of different sizes to see how call paths grow");
    std::vector<SizedRun> runs;
    for (const NamedExperiment& each : experiments)
        runs.push_back({each.name.toStdString(), each.experiment, {}});
    StudyOptions options;
    const bool areNamed =
        std::ranges::all_of(experiments, [](const NamedExperiment& each) { return each.size.has_value(); });
    if (areNamed && !differInSize(runs)) {
        options.parameters = {"size"};
        for (std::size_t run = 0; run < runs.size(); ++run) runs[run].parameters = {*experiments[run].size};
    }
    return std::make_shared<const Study>(std::move(runs), options);
}

/// `study`: as far as it is known.
Growth growthOf(const std::vector<NamedExperiment>& experiments, StudyPtr study, const std::string& metric,
                std::optional<double> at) {
    Growth growth{std::move(study), metric, {}, {}, {}, {}, {}};
    try {
        if (!growth.study) growth.study = studyOf(experiments);
        growth.at = growth.study->groups().back().at;
        growth.at.front() = at.value_or(kTimesTheLargest * growth.at.front());
        growth.paths = growingPaths(*growth.study, metric, growth.at);
        growth.subtrees = growingSubtrees(*growth.study, metric, growth.at);
        auto whole = growingMetrics(*growth.study, {metric}, growth.at);
        if (!whole.empty()) growth.program = std::move(whole.front());
        if (growth.paths.empty()) growth.whyEmpty = u"No call path has a value of this metric"_qs;
    } catch (const Error& error) {
        growth.whyEmpty = QString::fromUtf8(error.what());
    }
    return growth;
}

}  // namespace

const Growing* Growth::of(algebra::CallPathId path) const {
    for (const auto* among : {&paths, &subtrees})
        for (const Growing& growing : *among)
            if (growing.path == path) return &growing;
    return nullptr;
}

QString Growth::parameter() const {
    return study ? QString::fromStdString(study->parameters().front()) : QString();
}

void GrowthFinder::setExperiments(std::vector<NamedExperiment> experiments) {
    experiments_ = std::move(experiments);
    study_.reset();
    known_.clear();
    ++version_;
}

void GrowthFinder::want(const std::string& metric, std::optional<double> at) {
    const Wanted wanted{metric, at};
    if (const auto known = known_.find(wanted); known != known_.end()) {
        next_.reset();
        Q_EMIT found(known->second);
        return;
    }
    next_ = wanted;
    if (!isBusy_) findNext();
}

void GrowthFinder::findNext() {
    isBusy_ = true;
    const Wanted wanted = *std::exchange(next_, std::nullopt);
    inBackground(
        this,
        [experiments = experiments_, study = study_, wanted] {
            return growthOf(experiments, study, wanted.metric, wanted.at);
        },
        [this, wanted, version = version_](const Growth& growth) {
            isBusy_ = false;
            const bool isOfThese = version == version_;
            if (isOfThese) {
                study_ = growth.study;
                known_.emplace(wanted, growth);
            }
            if (next_) return findNext();
            if (isOfThese) Q_EMIT found(growth);
        });
}

}  // namespace holos::gui
