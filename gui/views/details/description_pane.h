// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTextBrowser>

#include "algebra/model/metric_guide.h"

namespace holos::gui {

class Colors;

/// What the selected metric is: its name, where its values come from, a picture of its pattern, its
/// description and its formula.
class DescriptionPane : public QTextBrowser {
  public:
    /// The colours and the guide must outlive the pane.
    DescriptionPane(const Colors& colors, const algebra::MetricGuide& guide, QWidget* parent = nullptr);

    /// `reason` says why the metric has no values, `lack` what it lacks to be complete; empty when nothing.
    void describe(const algebra::Metric& metric, const QString& reason, const QString& lack);

  private:
    const algebra::MetricGuide& guide_;
};

}  // namespace holos::gui
