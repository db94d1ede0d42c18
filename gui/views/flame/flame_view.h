// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <vector>

#include "gui/models/flame_model.h"

namespace holos::gui {

class Colors;
class Tones;

/// Paints a flame graph, roots at the top. A click or the arrow keys choose a call path; a double click,
/// Enter or `+` show it in the whole width, `−` goes back by one step, and Home shows everything.
class FlameView : public QWidget {
    Q_OBJECT
  public:
    /// Both must outlive the view.
    FlameView(FlameModel& model, const Colors& colors, QWidget* parent = nullptr);

    void setColors(FlameColors colors);
    /// After the model has changed, or other call paths are selected.
    void follow(const std::vector<algebra::CallPathId>& chosen);
    /// This call path takes the whole width; nothing: everything is seen.
    void zoom(std::optional<algebra::CallPathId> top);
    /// Where a call path is painted; empty where it is not.
    QRect boxRect(algebra::CallPathId path) const;
    QSize sizeHint() const override;

  Q_SIGNALS:
    void callPathChosen(algebra::CallPathId path);
    void zoomed();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int rowHeight() const;
    std::optional<algebra::CallPathId> at(QPoint place) const;
    std::optional<algebra::CallPathId> current() const;
    std::optional<algebra::CallPathId> stepFrom(algebra::CallPathId path, int key) const;
    void zoomOut();
    void paintPiece(QPainter& painter, const FlameGraph::Piece& piece, int row, const QColor& full) const;
    QColor colorOf(algebra::CallPathId path, const Tones& tones) const;
    void describe();

    FlameModel& model_;
    const Colors& colors_;
    FlameColors meaning_ = FlameColors::Own;
    std::vector<algebra::CallPathId> chosen_;
    std::vector<algebra::CallPathId> marked_;  ///< the same, ascending
    bool searching_ = false;                   ///< something is found: what is not, is pale
};

}  // namespace holos::gui
