// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTabWidget>

#include "algebra/model/metric_guide.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

class Colors;
class DescriptionPane;
class FindingsPane;

/// What is said in words: the description of a metric and, of an experiment with a specification, the
/// findings in a tab beside it.
class MetricTexts : public QTabWidget {
    Q_OBJECT
  public:
    /// All but the experiment must outlive the texts.
    MetricTexts(const ExperimentPtr& experiment, const Colors& colors, const algebra::MetricGuide& guide,
                QWidget* parent = nullptr);

    /// Null for an experiment without a specification.
    FindingsPane* findings() const { return findings_; }
    void describe(ValueCache& cache, algebra::MetricId metric);
    void setWholeNames(bool whole);

  Q_SIGNALS:
    void callPathWanted(algebra::CallPathId path);

  private:
    DescriptionPane* description_;
    FindingsPane* findings_ = nullptr;
};

}  // namespace holos::gui
