// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <optional>
#include <vector>

#include "gui/models/value_cache.h"

namespace holos::gui {

/// What somebody has written of new metrics.
struct MetricDraft {
    enum class Language { Specification, CubePl };
    /// When a CubePL expression is evaluated.
    enum class Evaluated { OnSums, ForEachPlace };

    Language language = Language::Specification;
    QString text;  ///< a whole specification, or an expression
    QString name;  ///< of the metric of an expression
    QString unit;  ///< of the same
    Evaluated evaluated = Evaluated::OnSums;

    friend bool operator==(const MetricDraft&, const MetricDraft&) = default;
};

/// Something wrong in the text of a draft.
struct DraftProblem {
    QString message;
    int line = 0;    ///< from 1; 0: not known
    int column = 0;  ///< from 1
};

/// A metric of a draft, as the whole run has it.
struct DraftMetric {
    QString name;
    QString value;  ///< with its unit; or why there is none
};

/// What becomes of a draft.
struct DraftResult {
    ExperimentPtr experiment;  ///< with its metrics; null where something is wrong
    std::vector<DraftMetric> metrics;
    std::vector<DraftProblem> problems;
};

/// Never throws for what somebody has written.
DraftResult tryDraft(const algebra::Experiment& experiment, const MetricDraft& draft);

/// The specification that the experiment carries, which a new one replaces; empty: none.
QString specificationOf(const algebra::Experiment& experiment);

/// What may stand in a draft: metrics, functions and keywords.
QStringList wordsFor(const algebra::Experiment& experiment, MetricDraft::Language language);

/// Tries drafts in a thread of its own, each when somebody has stopped typing. Of drafts that come while one
/// is tried, only the last one counts.
class MetricTrial : public QObject {
    Q_OBJECT
  public:
    explicit MetricTrial(ExperimentPtr experiment, QObject* parent = nullptr);

    void setDraft(const MetricDraft& draft);

  Q_SIGNALS:
    void tried(const DraftResult& result);

  private:
    void tryNext();

    ExperimentPtr experiment_;
    std::optional<MetricDraft> next_;
    bool isBusy_ = false;
    QTimer quiet_;
};

}  // namespace holos::gui
