// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTextBrowser>
#include <memory>
#include <optional>

#include "algebra/insight/findings/findings.h"
#include "gui/models/value_cache.h"

class QThread;

namespace holos::gui {

/// What the specification of the experiment finds worth saying, with links to the call paths concerned.
/// Evaluated in a thread of its own when the pane is first seen; destruction waits for it.
///
/// Thread safety: one thread; its own only reads the experiment.
class FindingsPane : public QTextBrowser {
    Q_OBJECT
  public:
    explicit FindingsPane(ExperimentPtr experiment, QWidget* parent = nullptr);
    ~FindingsPane() override;

    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);
    /// Until everything is evaluated.
    void wait();

  Q_SIGNALS:
    /// Somebody followed a link.
    void callPathActivated(algebra::CallPathId path);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void showReport();

    ExperimentPtr experiment_;
    bool wholeNames_ = false;
    std::optional<algebra::FindingReport> report_;
    QString problem_;  ///< why there is no report
    std::unique_ptr<QThread> thread_;
};

}  // namespace holos::gui
