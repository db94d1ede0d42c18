// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPlainTextEdit>
#include <map>

#include "gui/models/quantity.h"

namespace holos::gui {

class Colors;

/// Text to read, with numbers of lines, and boxes with values, in a margin.
class SourceText : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit SourceText(const Colors& colors, QWidget* parent = nullptr);

    /// By line, from 1. Nothing is written in `unit` when the map is empty.
    void setValues(std::map<int, double> values, const QuantityFormat& format, bool diverging);
    QString valueAt(int line) const;
    /// Marks a line and scrolls to it; 0: none.
    void mark(int line);
    int marked() const { return marked_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void paintMargin();
    void updateMargin();
    int valueWidth() const;
    int numberWidth() const;

    const Colors& colors_;
    QWidget* margin_;
    std::map<int, double> values_;
    double largest_ = 0.0;
    bool diverging_ = false;
    QuantityFormat format_;
    int marked_ = 0;
};

}  // namespace holos::gui
