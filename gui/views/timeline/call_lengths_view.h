// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QDialog>
#include <memory>

#include "gui/models/timeline/call_lengths.h"

class QLabel;

namespace holos::gui {

/// Counts calls by their lengths: short ones left, long ones right, a quarter longer from bar to bar.
class CallHistogram : public QWidget {
    Q_OBJECT
  public:
    explicit CallHistogram(QWidget* parent = nullptr);

    void setLengths(CallLengths lengths, double secondsOfTick);
    QRectF barRect(int number) const;
    /// What the tool tip says of a bar.
    QString textOf(int number) const;
    QSize sizeHint() const override;

  Q_SIGNALS:
    /// A call of this length, or a longer one, is looked for.
    void wanted(double leastSeconds);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QString lengthText(double ticks) const;
    std::optional<int> numberAt(double x) const;

    CallLengths lengths_;
    double secondsOfTick_ = 1.0;
};

/// How long the calls of a region take, in a window of its own: numbers and a histogram. They are read in the
/// background.
class CallLengthsView : public QDialog {
    Q_OBJECT
  public:
    /// `where`: of which part of the run, in words.
    CallLengthsView(const CallLengthsQuestion& question, const QString& region, const QString& where,
                    QWidget* parent = nullptr);
    ~CallLengthsView() override;

    bool isBusy() const { return busy_; }
    QString text() const;
    CallHistogram* histogram() const { return histogram_; }

  Q_SIGNALS:
    void callWanted(const QString& region, double leastSeconds);

  private:
    void tell(const CallLengths& lengths);

    QString where_;
    double secondsOfTick_;
    QLabel* text_;
    CallHistogram* histogram_;
    std::shared_ptr<std::atomic<bool>> stopped_;
    bool busy_ = true;
};

}  // namespace holos::gui
