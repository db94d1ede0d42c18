// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFontMetrics>
#include <QStringList>
#include <QWidget>

namespace holos::gui {

/// The first of these that is no wider than `width` pixels. A number of which a part is missing would be
/// another number: where none of them fits, the sign for what is left out stands alone.
QString fitting(const QStringList& notations, const QFontMetrics& metrics, int width);

/// The beginning of a text that has room, and the sign for what is left out; a number that is not whole goes,
/// too.
QString beginningOf(const QString& text, const QFontMetrics& metrics, int width);

/// The text with the sign for what is left out in its middle, where it has no room. Where another text would
/// look the same, what both begin with is left out instead, so that they can be told apart.
QString elidedAmong(const QStringList& others, const QString& text, const QFontMetrics& metrics, int width);

/// One line of text that gives way: what does not fit is cut with an ellipsis and stands in the tool tip.
class ElidedLabel : public QWidget {
    Q_OBJECT
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
