// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include "gui/models/plain_text.h"

namespace holos::gui {

/// What a pointer over the widget shows, and what a screen reader says: without this it would read out the
/// tool tip with the marks of HTML.
inline void setTip(QWidget& widget, const QString& text) {
    widget.setToolTip(asToolTip(text));
    widget.setAccessibleDescription(text.trimmed());
}

/// What is chosen in a box, for assistive technology. On Linux, Qt gives it the present value as the name of
/// a box, whatever its accessible name is, and says what the box is for only by a label beside it: this one,
/// which nobody sees.
class BoxName : public QLabel {
  public:
    /// Belongs to the box.
    BoxName(QComboBox& box, const QString& name);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void standBesideBox();

    QComboBox& box_;
};

/// Gives the box its accessible name, and a label for it.
void setNameOfBox(QComboBox& box, const QString& name);

}  // namespace holos::gui
