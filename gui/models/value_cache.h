// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "algebra/model/queries.h"
#include "algebra/model/remembered_results.h"

namespace holos::gui {

class Counterpart;

using ExperimentPtr = std::shared_ptr<const algebra::Experiment>;
using Values = std::shared_ptr<const std::vector<double>>;

/// True when the metric's values are whole numbers.
bool isWhole(const algebra::Metric& metric);

/// Values of one experiment, as the panes need them, remembered per metric and extent: opening a node looks
/// up, and does not aggregate again. A metric whose values cannot be read becomes undefined (NaN), and
/// `failed` says why, once per metric.
///
/// What needs much of a large file is read in the background: its values are NaN until `arrived` says that
/// they are there. In another thread than that of this object, answers are waited for.
///
/// Thread safety: one thread, but for `metric` and `total`, which are safe.
class ValueCache : public QObject {
    Q_OBJECT
  public:
    explicit ValueCache(ExperimentPtr experiment);
    ~ValueCache() override;

    const algebra::Experiment& experiment() const { return *experiment_; }

    /// True while values of the metric are being read in the background.
    bool isReading(algebra::MetricId metric) const;
    /// True while any are, or any of the counterpart.
    bool isReading() const;

    /// Why nothing is to be seen of a metric: values are still being read, it cannot be evaluated, or else
    /// `otherwise`.
    QString insteadOfValues(algebra::MetricId metric, const QString& otherwise);

    /// Over the whole call tree and all locations.
    double metric(algebra::MetricChoice choice);
    /// The root of the metric's hierarchy: the highest metric above it that has a value.
    algebra::MetricId rootOf(algebra::MetricId metric) const;
    /// What differences relate to; null: nothing.
    Counterpart* counterpart() const { return counterpart_.get(); }
    void setCounterpart(std::unique_ptr<Counterpart> counterpart);
    /// The experiment that `external` asks; null: none.
    void setReference(ExperimentPtr reference);
    bool hasReference() const { return reference_ != nullptr; }
    /// The value of the root of the metric's hierarchy in the reference, there found by its unique name; NaN
    /// when it has none, or measures in another unit.
    double external(algebra::MetricId metric);
    /// Why a derived metric is undefined everywhere; empty when it is not.
    QString reasonOf(algebra::MetricId metric);
    /// What a composition lacks, and what would complete it; empty when it is complete.
    QString incompletenessOf(algebra::MetricId metric) const;
    /// Over the chosen call paths and locations.
    double total(algebra::MetricChoice choice, const algebra::ChosenPaths& paths,
                 const algebra::ChosenLocations& locations = kAll);
    /// One value per call path, over the chosen locations (only those over all are remembered).
    Values callPaths(algebra::MetricChoice choice, algebra::Extent extent,
                     const algebra::ChosenLocations& locations = kAll);
    /// One value per location, over the chosen call paths.
    Values locations(algebra::MetricChoice choice, const algebra::ChosenPaths& paths);
    /// One value per group of locations, over the chosen call paths.
    std::vector<double> groups(algebra::MetricChoice choice, const algebra::LocationGroups& groups,
                               const algebra::ChosenPaths& paths);

    /// True once negative inclusive values were noted, as only differences have: colours diverge from then
    /// on.
    bool isSigned() const { return signed_; }
    void noteSigned();

  Q_SIGNALS:
    void counterpartChanged();
    void failed(const QString& message);
    void becameSigned();
    /// Values that were being read are there.
    void arrived();
    /// Reading has begun, or all that was wanted is there.
    void readingChanged();

  private:
    using MetricKey = std::pair<algebra::MetricId, algebra::Extent>;
    template <class Query>
    auto guarded(algebra::MetricId metric, Query query, decltype(query()) undefined) -> decltype(query());

    bool isFirstReport(algebra::MetricId metric);

    /// A query that may have to read much.
    struct Question {
        algebra::RememberedResults::Key key;
        algebra::MetricId metric;
        std::size_t lanes;  ///< of its answer
        std::function<std::vector<double>(const algebra::Experiment&)> query;
    };
    std::vector<double> answer(Question question, bool isQuick);
    std::vector<double> askNow(const Question& question);
    void readNext();

    ExperimentPtr experiment_;
    ExperimentPtr reference_;
    std::unique_ptr<Counterpart> counterpart_;
    std::map<algebra::MetricId, double> external_;  ///< by root of a hierarchy
    std::mutex mutex_;                              ///< of `metrics_` and `reported_`
    std::map<MetricKey, double> metrics_;
    std::map<std::pair<MetricKey, algebra::Extent>, Values> callPaths_;
    std::vector<bool> reported_;
    bool signed_ = false;
    algebra::RememberedResults read_;  ///< what was read in the background
    std::vector<Question> wanted_;     ///< the last one is read next
    std::optional<Question> reading_;
};

/// Asks a cache for the totals of all metrics in a thread of its own, parents before children, so that they
/// are known before somebody opens a hierarchy. Leaves out what would take too much memory. Destruction
/// waits for the metric that is being read.
///
/// Thread safety: one thread; its own uses of the cache only what is safe there.
class Prefetch {
  public:
    /// The cache must outlive the object.
    explicit Prefetch(ValueCache& cache);
    ~Prefetch();
    Prefetch(Prefetch&&) = delete;

    /// Until everything is known.
    void wait() { thread_->wait(); }

  private:
    void run();

    ValueCache& cache_;
    std::atomic<bool> stopped_ = false;
    std::unique_ptr<QThread> thread_;
};

}  // namespace holos::gui
