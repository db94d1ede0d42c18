// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>

class QLabel;

namespace holos::gui {

/// Tells of trouble above what is shown, until somebody closes it. Nothing has to be answered.
class MessageBar : public QFrame {
  public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// Empty when the bar is hidden.
    QString message() const;
    /// Empty hides the bar.
    void setMessage(const QString& message);
    /// On a line of its own, below what is told already.
    void addMessage(const QString& message);

  private:
    QLabel* text_;
};

}  // namespace holos::gui
