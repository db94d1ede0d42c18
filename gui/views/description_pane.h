// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTextBrowser>

#include "algebra/model/structure.h"

namespace holos::gui {

/// What the selected metric is: its name, where its values come from, its description and its formula.
class DescriptionPane : public QTextBrowser {
  public:
    explicit DescriptionPane(QWidget* parent = nullptr);

    void describe(const algebra::Metric& metric);
};

}  // namespace holos::gui
