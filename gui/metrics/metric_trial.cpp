// SPDX-License-Identifier: BSD-3-Clause
#include "gui/metrics/metric_trial.h"

#include <algorithm>
#include <array>
#include <utility>

#include "algebra/cubepl/syntax.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/regroup.h"
#include "gui/models/background.h"
#include "gui/models/quantity.h"
#include "metric-specs/problems.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr std::array kKeywords{"compose", "compute",  "ratio",   "seconds", "measure",
                               "unit",    "describe", "minimum", "finding"};
constexpr std::array kFunctions{"sqrt", "exp",   "log",  "abs", "sgn", "pos",
                                "neg",  "floor", "ceil", "min", "max"};

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

int number(const std::optional<std::uint64_t>& position) {
    return static_cast<int>(position.value_or(0));
}

std::vector<DraftProblem> problemsOf(const specs::SpecificationError& error) {
    std::vector<DraftProblem> problems;
    for (const specs::Problem& problem : error.problems())
        problems.push_back(
            {text(problem.message), static_cast<int>(problem.line), static_cast<int>(problem.column)});
    return problems;
}

/// The value over the whole run, or what is wrong with the expression.
QString valueOf(ValueCache& cache, MetricId id) {
    const Metric& metric = cache.experiment().metrics[id];
    const double value = cache.metric({id, Extent::Inclusive});
    if (const QString reason = cache.reasonOf(id); !reason.isEmpty()) return reason;
    return exactQuantity(value, text(metric.unit), kUsualDigits);
}

std::optional<MetricId> metricNamed(const Experiment& experiment, const std::string& name) {
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (metric.uniqueName == name || metric.displayName == name) return id;
    }
    return std::nullopt;
}

std::vector<DraftMetric> valuesOf(const ExperimentPtr& experiment, const std::vector<std::string>& names) {
    std::vector<DraftMetric> metrics;
    ValueCache cache(experiment);
    for (const std::string& name : names) {
        const auto found = metricNamed(*experiment, name);
        metrics.push_back({text(name), found ? valueOf(cache, *found)
                                             : u"not available: what it is made of was not measured"_qs});
    }
    return metrics;
}

DraftResult trySpecification(const Experiment& experiment, const MetricDraft& draft) {
    const specs::Specification specification = specs::parse(draft.text.toStdString(), "");
    std::vector<std::string> names;
    for (const specs::Definition& definition : specification.definitions)
        if (std::ranges::find(names, definition.name) == names.end()) names.push_back(definition.name);
    DraftResult result;
    result.experiment = std::make_shared<const Experiment>(derive(copyOf(experiment), specification));
    result.metrics = valuesOf(result.experiment, names);
    return result;
}

/// Metrics that an expression is made of, and that neither the experiment nor the expression has.
std::vector<DraftProblem> unknownMetrics(const Experiment& experiment, const cubepl::Program& program) {
    std::vector<DraftProblem> problems;
    for (const cubepl::Reference& reference : program.references)
        if (program.definitions.empty() && !experiment.findMetric(reference.name))
            problems.push_back({u"there is no metric \"%1\""_qs.arg(text(reference.name))});
    return problems;
}

DraftResult tryExpression(const Experiment& experiment, const MetricDraft& draft) {
    const std::string name = draft.name.trimmed().toStdString();
    if (name.empty()) return {{}, {}, {{u"the metric needs a name"_qs}}};
    if (experiment.findMetric(name)) return {{}, {}, {{u"there is a metric of this name already"_qs}}};
    if (auto unknown = unknownMetrics(experiment, cubepl::parse(draft.text.toStdString())); !unknown.empty())
        return {{}, {}, std::move(unknown)};
    const bool onSums = draft.evaluated == MetricDraft::Evaluated::OnSums;
    Metric metric;
    metric.uniqueName = metric.displayName = name;
    metric.unit = draft.unit.trimmed().toStdString();
    metric.expression = draft.text.toStdString();
    metric.origin = onSums ? Origin::Ratio : Origin::Computed;
    metric.storage = onSums ? Storage::PostDerived : Storage::PreDerivedExclusive;
    Experiment changed = copyOf(experiment);
    changed.metrics.add(metric);
    DraftResult result;
    result.experiment = std::make_shared<const Experiment>(std::move(changed));
    result.metrics = valuesOf(result.experiment, {name});
    return result;
}

}  // namespace

DraftResult tryDraft(const Experiment& experiment, const MetricDraft& draft) {
    if (draft.text.trimmed().isEmpty()) return {};
    try {
        return draft.language == MetricDraft::Language::CubePl ? tryExpression(experiment, draft)
                                                               : trySpecification(experiment, draft);
    } catch (const specs::SpecificationError& error) {
        return {{}, {}, problemsOf(error)};
    } catch (const Error& error) {
        const int line =
            error.place().column ? std::max(1, number(error.place().line)) : number(error.place().line);
        return {{}, {}, {{text(error.message()), line, number(error.place().column)}}};
    }
}

QString specificationOf(const Experiment& experiment) {
    const auto found = experiment.files.find(kSpecificationFile);
    return found == experiment.files.end() ? QString() : text(found->second);
}

QStringList wordsFor(const Experiment& experiment, MetricDraft::Language language) {
    const bool isCubePl = language == MetricDraft::Language::CubePl;
    QStringList words;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (isCubePl)
            words << u"metric::%1()"_qs.arg(text(metric.uniqueName));
        else if (specs::isTraceMetric(metric.uniqueName) || metric.origin == Origin::Measured)
            words << text(eventName(metric));
    }
    if (isCubePl)
        for (const char* function : kFunctions) words << QString::fromLatin1(function) + u"()"_qs;
    else
        for (const char* keyword : kKeywords) words << QString::fromLatin1(keyword);
    words.removeDuplicates();
    words.sort(Qt::CaseInsensitive);
    return words;
}

namespace {

constexpr int kQuiet = 250;  ///< milliseconds

}  // namespace

MetricTrial::MetricTrial(ExperimentPtr experiment, QObject* parent)
    : QObject(parent), experiment_(std::move(experiment)) {
    quiet_.setSingleShot(true);
    quiet_.setInterval(kQuiet);
    connect(&quiet_, &QTimer::timeout, this, &MetricTrial::tryNext);
}

void MetricTrial::setDraft(const MetricDraft& draft) {
    next_ = draft;
    quiet_.start();
}

void MetricTrial::tryNext() {
    if (isBusy_ || !next_) return;
    isBusy_ = true;
    inBackground(
        this,
        [experiment = experiment_, draft = *std::exchange(next_, std::nullopt)] {
            return tryDraft(*experiment, draft);
        },
        [this](const DraftResult& result) {
            isBusy_ = false;
            if (next_)
                quiet_.start();
            else
                Q_EMIT tried(result);
        });
}

}  // namespace holos::gui
