// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "algebra/insight/summary/summary.h"
#include "gui/views/parts/detail_view.h"

class QTextBrowser;
class QThread;

namespace holos::gui {

/// The run in plain words: what costs time, where, who and why, with links that select in the panes what each
/// statement rests on. Made in a thread of its own when the view is first seen; destruction waits for it.
///
/// Thread safety: one thread; its own only reads the experiment.
class SummaryPane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the view.
    explicit SummaryPane(const algebra::Experiment& experiment, QWidget* parent = nullptr);
    ~SummaryPane() override;

    /// The text says all of the run, whatever is selected.
    void follow(const Focus& focus) override;
    bool isBusy() const override { return isBusy_; }
    QTextBrowser* text() const { return text_; }

  private:
    void make();
    void select(const QString& link);

    const algebra::Experiment& experiment_;
    QTextBrowser* text_;
    std::optional<algebra::Summary> summary_;
    std::unique_ptr<QThread> thread_;
    bool isBusy_ = false;
};

}  // namespace holos::gui
