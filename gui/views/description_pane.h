// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTextBrowser>

#include "algebra/model/structure.h"

namespace holos::gui {

/// What the selected metric is: its name, where its values come from, its description and its formula.
class DescriptionPane : public QTextBrowser {
  public:
    explicit DescriptionPane(QWidget* parent = nullptr);

    /// `reason` says why the metric has no values; empty when it has.
    void describe(const algebra::Metric& metric, const QString& reason);
};

}  // namespace holos::gui
