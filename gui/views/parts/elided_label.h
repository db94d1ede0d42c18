// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

namespace holos::gui {

/// One line of text that gives way: what does not fit is cut with an ellipsis and stands in the tool tip.
class ElidedLabel : public QWidget {
  public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    const QString& text() const { return text_; }
    void setText(const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString text_;
};

}  // namespace holos::gui
