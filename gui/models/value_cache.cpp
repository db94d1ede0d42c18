// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/value_cache.h"

#include <cmath>
#include <limits>

#include "algebra/insight/findings/missing_terms.h"
#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "gui/models/counterpart.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// One table per metric and extents; a browsing person returns to few of them.
constexpr std::size_t kRememberedTables = 64;

}  // namespace

bool isSummable(const Metric& metric) {
    return isSumOfParts(metric);
}

bool isWhole(const Metric& metric) {
    using enum ValueType;
    return metric.valueType != Double && metric.valueType != MinDouble && metric.valueType != MaxDouble;
}

ValueCache::ValueCache(ExperimentPtr experiment)
    : experiment_(std::move(experiment)), reported_(experiment_->metrics.size(), false) {}

ValueCache::~ValueCache() = default;

void ValueCache::setCounterpart(std::unique_ptr<Counterpart> counterpart) {
    counterpart_ = std::move(counterpart);
    Q_EMIT counterpartChanged();
}

template <class Query>
auto ValueCache::guarded(MetricId metric, Query query, decltype(query()) undefined) -> decltype(query()) {
    try {
        return query();
    } catch (const Error& error) {
        if (isFirstReport(metric)) Q_EMIT failed(QString::fromUtf8(error.what()));
        return undefined;
    }
}

bool ValueCache::isFirstReport(MetricId metric) {
    const std::lock_guard lock(mutex_);
    const bool first = !reported_[metric.index()];
    reported_[metric.index()] = true;
    return first;
}

void ValueCache::noteSigned() {
    if (signed_) return;
    signed_ = true;
    Q_EMIT becameSigned();
}

double ValueCache::metric(MetricChoice choice) {
    const MetricKey key{choice.metric, choice.extent};
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = metrics_.find(key); known != metrics_.end()) return known->second;
    }
    const double value = total(choice, kAll);
    const std::lock_guard lock(mutex_);
    return metrics_.emplace(key, value).first->second;
}

MetricId ValueCache::rootOf(MetricId metric) const {
    const MetricForest& metrics = experiment_->metrics;
    MetricId root = metric;
    for (auto up = metrics.parent(metric); up; up = metrics.parent(*up))
        if (!metrics[*up].isVoid) root = *up;
    return root;
}

void ValueCache::setReference(ExperimentPtr reference) {
    reference_ = std::move(reference);
    external_.clear();
}

double ValueCache::external(MetricId metric) {
    const MetricId root = rootOf(metric);
    if (const auto known = external_.find(root); known != external_.end()) return known->second;
    const Metric& wanted = experiment_->metrics[root];
    const auto there = reference_ ? reference_->findMetric(wanted.uniqueName) : std::nullopt;
    const bool comparable = there && reference_->metrics[*there].unit == wanted.unit;
    const double value = comparable ? guarded(
                                          metric, [&] { return aggregate(*reference_, {*there}); }, kNaN)
                                    : kNaN;
    return external_.emplace(root, value).first->second;
}

QString ValueCache::reasonOf(MetricId metric) {
    const Metric& asked = experiment_->metrics[metric];
    if (asked.isVoid || asked.hasValues() || !std::isnan(this->metric({metric}))) return {};
    const auto why = guarded(
        metric, [&] { return whyNotEvaluated(*experiment_, metric); }, std::nullopt);
    return why ? QString::fromStdString(*why) : QString();
}

QString ValueCache::incompletenessOf(MetricId metric) const {
    if (!experiment_->metrics[metric].incomplete) return {};
    const auto missing = missingTerms(*experiment_, metric);
    return missing ? QString::fromStdString(textOf(*missing)) : u"only some of its terms were measured"_qs;
}

double ValueCache::total(MetricChoice choice, const ChosenPaths& paths, const ChosenLocations& locations) {
    if ((*experiment_).metrics[choice.metric].isVoid) return kNaN;
    return guarded(
        choice.metric, [&] { return aggregate(*experiment_, choice, paths, locations); }, kNaN);
}

Values ValueCache::callPaths(MetricChoice choice, Extent extent, const ChosenLocations& locations) {
    const std::pair key{MetricKey{choice.metric, choice.extent}, extent};
    const auto known = callPaths_.find(key);
    if (locations.isAll() && known != callPaths_.end()) return known->second;
    auto values = guarded(
        choice.metric, [&] { return perCallPath(*experiment_, choice, extent, locations); },
        std::vector<double>(experiment_->callTree.size(), kNaN));
    Values shared = std::make_shared<const std::vector<double>>(std::move(values));
    if (!locations.isAll()) return shared;
    if (callPaths_.size() >= kRememberedTables) callPaths_.clear();
    callPaths_.emplace(key, shared);
    return shared;
}

Values ValueCache::locations(MetricChoice choice, const ChosenPaths& paths) {
    auto values = guarded(
        choice.metric, [&] { return perLocation(*experiment_, choice, paths); },
        std::vector<double>(experiment_->system.locations.size(), kNaN));
    return std::make_shared<const std::vector<double>>(std::move(values));
}

std::vector<double> ValueCache::groups(MetricChoice choice, const LocationGroups& groups,
                                       const ChosenPaths& paths) {
    return guarded(
        choice.metric, [&] { return perGroup(*experiment_, choice, groups, paths); },
        std::vector<double>(groups.size(), kNaN));
}

}  // namespace holos::gui
