// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/value_cache.h"

#include <QCoreApplication>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/insight/findings/missing_terms.h"
#include "algebra/model/metric_values.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/counterpart.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// One table per metric and extents; a browsing person returns to few of them.
constexpr std::size_t kRememberedTables = 64;

}  // namespace

bool isWhole(const Metric& metric) {
    using enum ValueType;
    return metric.valueType != Double && metric.valueType != MinDouble && metric.valueType != MaxDouble;
}

ValueCache::ValueCache(ExperimentPtr experiment)
    : experiment_(std::move(experiment)), reported_(experiment_->metrics.size(), false) {}

ValueCache::~ValueCache() = default;

void ValueCache::setCounterpart(std::unique_ptr<Counterpart> counterpart) {
    counterpart_ = std::move(counterpart);
    if (counterpart_) {
        connect(&counterpart_->cache(), &ValueCache::arrived, this, &ValueCache::arrived);
        connect(&counterpart_->cache(), &ValueCache::readingChanged, this, &ValueCache::readingChanged);
    }
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
    if (std::isnan(value) && QThread::currentThread() == thread() && isReading(choice.metric)) return value;
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
    if (asked.isVoid || asked.hasValues() || !std::isnan(this->metric({metric})) || isReading(metric))
        return {};
    const auto why = guarded(
        metric, [&] { return whyNotEvaluated(*experiment_, metric); }, std::nullopt);
    return why ? QString::fromStdString(*why) : QString();
}

QString ValueCache::insteadOfValues(MetricId metric, const QString& otherwise) {
    if (isReading(metric)) return u"Values are still being read"_qs;
    const QString reason = reasonOf(metric);
    return reason.isEmpty() ? otherwise : reason;
}

QString ValueCache::incompletenessOf(MetricId metric) const {
    if (!experiment_->metrics[metric].incomplete) return {};
    const auto missing = missingTerms(*experiment_, metric);
    return missing ? QString::fromStdString(missingTermsText(*missing))
                   : u"only some of its terms were measured"_qs;
}

namespace {

/// What kind of answer a question has.
enum class Kind : std::uint64_t { Total, CallPaths, Locations, Groups };

RememberedResults::Key keyOf(Kind kind, MetricChoice choice, Extent callExtent, const ChosenPaths& paths,
                             const ChosenLocations& locations) {
    constexpr std::uint64_t kEnd = ~std::uint64_t{0};
    RememberedResults::Key key{static_cast<std::uint64_t>(kind), choice.metric.index(),
                               static_cast<std::uint64_t>(choice.extent),
                               static_cast<std::uint64_t>(callExtent)};
    if (!paths.isAll())
        for (const auto& [path, extent] : paths.given())
            key.insert(key.end(), {path.index(), static_cast<std::uint64_t>(extent)});
    key.push_back(kEnd);
    if (!locations.isAll())
        for (const LocationId location : locations.given()) key.push_back(location.index());
    return key;
}

/// One at a time: each uses all processor cores, and the disk.
QThreadPool& readers() {
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

}  // namespace

bool ValueCache::isReading() const {
    return reading_ || !wanted_.empty() || (counterpart_ && counterpart_->cache().isReading());
}

bool ValueCache::isReading(MetricId metric) const {
    const auto isOfIt = [metric](const Question& question) { return question.metric == metric; };
    return (reading_ && isOfIt(*reading_)) || std::ranges::any_of(wanted_, isOfIt);
}

std::vector<double> ValueCache::askNow(const Question& question) {
    return guarded(
        question.metric, [&] { return question.query(*experiment_); },
        std::vector<double>(question.lanes, kNaN));
}

std::vector<double> ValueCache::answer(Question question, bool isQuick) {
    if (isQuick || QThread::currentThread() != thread() || QCoreApplication::instance() == nullptr)
        return askNow(question);
    if (const auto known = read_.find(question.key)) return *known;
    std::vector<double> unknown(question.lanes, kNaN);
    const auto isIt = [&](const Question& other) { return other.key == question.key; };
    if (reading_ && isIt(*reading_)) return unknown;
    std::erase_if(wanted_, isIt);
    wanted_.push_back(std::move(question));
    if (!reading_) {
        readNext();
        Q_EMIT readingChanged();
    }
    return unknown;
}

void ValueCache::readNext() {
    if (reading_ || wanted_.empty()) return;
    reading_ = std::move(wanted_.back());
    wanted_.pop_back();
    struct Read {
        std::vector<double> values;
        QString trouble;
    };
    inBackground(
        readers(), this,
        [experiment = experiment_, query = reading_->query, lanes = reading_->lanes] {
            try {
                return Read{query(*experiment), {}};
            } catch (const std::exception& error) {
                return Read{std::vector<double>(lanes, kNaN), QString::fromUtf8(error.what())};
            }
        },
        [this](const Read& read) {
            const MetricId metric = reading_->metric;
            read_.add(reading_->key, read.values);
            reading_.reset();
            readNext();
            if (!reading_) Q_EMIT readingChanged();
            if (!read.trouble.isEmpty() && isFirstReport(metric)) Q_EMIT failed(read.trouble);
            Q_EMIT arrived();
        });
}

double ValueCache::total(MetricChoice choice, const ChosenPaths& paths, const ChosenLocations& locations) {
    if ((*experiment_).metrics[choice.metric].isVoid) return kNaN;
    const algebra::Selection part{.paths = paths, .locations = locations};
    return answer({keyOf(Kind::Total, choice, Extent::Inclusive, paths, locations), choice.metric, 1,
                   [choice, paths, locations](const Experiment& experiment) {
                       return std::vector{aggregate(experiment, choice, paths, locations)};
                   }},
                  isAnsweredQuickly(*experiment_, choice, part))
        .front();
}

Values ValueCache::callPaths(MetricChoice choice, Extent extent, const ChosenLocations& locations) {
    const std::pair key{MetricKey{choice.metric, choice.extent}, extent};
    const auto known = callPaths_.find(key);
    if (locations.isAll() && known != callPaths_.end()) return known->second;
    const algebra::Selection part{.by = algebra::Selection::By::CallPath, .locations = locations};
    Values shared = std::make_shared<const std::vector<double>>(answer(
        {keyOf(Kind::CallPaths, choice, extent, kAll, locations), choice.metric, experiment_->callTree.size(),
         [choice, extent, locations](const Experiment& experiment) {
             return perCallPath(experiment, choice, extent, locations);
         }},
        isAnsweredQuickly(*experiment_, choice, part)));
    if (!locations.isAll() || isReading(choice.metric)) return shared;
    if (callPaths_.size() >= kRememberedTables) callPaths_.clear();
    callPaths_.emplace(key, shared);
    return shared;
}

Values ValueCache::locations(MetricChoice choice, const ChosenPaths& paths) {
    const algebra::Selection part{.by = algebra::Selection::By::Location, .paths = paths};
    return std::make_shared<const std::vector<double>>(answer(
        {keyOf(Kind::Locations, choice, Extent::Inclusive, paths, kAll), choice.metric,
         experiment_->system.locations.size(),
         [choice, paths](const Experiment& experiment) { return perLocation(experiment, choice, paths); }},
        isAnsweredQuickly(*experiment_, choice, part)));
}

std::vector<double> ValueCache::groups(MetricChoice choice, const LocationGroups& groups,
                                       const ChosenPaths& paths) {
    RememberedResults::Key key = keyOf(Kind::Groups, choice, Extent::Inclusive, paths, kAll);
    for (const auto& group : groups) {
        key.push_back(group.size());
        for (const LocationId location : group) key.push_back(location.index());
    }
    const algebra::Selection part{.by = algebra::Selection::By::Location, .paths = paths};
    return answer({std::move(key), choice.metric, groups.size(),
                   [choice, groups, paths](const Experiment& experiment) {
                       return perGroup(experiment, choice, groups, paths);
                   }},
                  isAnsweredQuickly(*experiment_, choice, part));
}

namespace {

/// Beyond this, values wait until they are asked for.
constexpr std::size_t kLargestPrefetch = std::size_t{4} << 30;

}  // namespace

Prefetch::Prefetch(ValueCache& cache) : cache_(cache), thread_(QThread::create([this] { run(); })) {
    thread_->start(QThread::LowPriority);
}

Prefetch::~Prefetch() {
    stopped_ = true;
    thread_->wait();
}

void Prefetch::run() {
    const Experiment& experiment = cache_.experiment();
    const std::size_t table =
        experiment.callTree.size() * experiment.system.locations.size() * sizeof(double);
    std::size_t read = 0;
    for (const MetricId metric : experiment.metrics.ids()) {
        if (!isAnsweredQuickly(experiment, {metric}, {})) read += table;
        if (stopped_ || read > kLargestPrefetch) return;
        if (experiment.metrics[metric].ghost) continue;
        cache_.metric({metric, Extent::Inclusive});
        if (!experiment.metrics.children(metric).empty()) cache_.metric({metric, Extent::Exclusive});
    }
}

}  // namespace holos::gui
