// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <array>

class QLabel;
class QSplitter;

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

/// How an open experiment shares its room: a title, three panes beside each other, of which one has texts
/// below it, and details below them all.
class PaneLayout : public QWidget {
  public:
    struct Parts {
        QWidget* metrics;
        QWidget* texts;  ///< below the metrics
        QWidget* program;
        QWidget* system;
        QWidget* details;
    };
    PaneLayout(const Parts& parts, QWidget* parent = nullptr);

    /// The metrics with what is said of them.
    QWidget* metricSide() const;
    /// From left to right: `metricSide`, the program and the system.
    void setOrder(const std::array<QWidget*, 3>& panes);
    /// Above the panes; empty: nothing.
    void setTitle(const QString& title);
    QString title() const;
    /// Gives the details at least this share of the height, unless somebody has moved their edge.
    void makeRoomForDetails(double share);
    /// For `restoreSizes`, which takes nothing else seriously.
    QByteArray sizes() const;
    void restoreSizes(const QByteArray& sizes);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void makeRoom();
    std::array<QSplitter*, 3> splitters() const { return {across_, metricSide_, down_}; }

    QLabel* title_;
    QSplitter* across_;
    QSplitter* down_;              ///< the panes with the details below them
    QSplitter* metricSide_;        ///< the metrics with their texts
    bool isHeightChosen_ = false;  ///< somebody has moved the edge of the details
    double wantedShare_ = 0;       ///< of the height, for the details
};

}  // namespace holos::gui
