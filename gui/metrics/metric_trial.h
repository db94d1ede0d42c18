// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "gui/metrics/metric_draft.h"

namespace holos::gui {

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
