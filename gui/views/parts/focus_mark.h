// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

namespace holos::gui {

/// A line along the upper edge of a pane, which is seen while the pane, or something in it, has the keyboard
/// focus.
class FocusMark : public QWidget {
  public:
    /// Belongs to the pane.
    explicit FocusMark(QWidget* pane);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void follow(const QWidget* focused);
    void place();
};

}  // namespace holos::gui
