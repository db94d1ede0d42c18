// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <vector>

#include "gui/models/comparison_model.h"
#include "gui/models/flame_model.h"
#include "gui/models/selection.h"

class QComboBox;
class QLineEdit;
class QScrollArea;

namespace holos::gui {

class ColorLegend;
class Colors;
class ElidedLabel;
class FolderLegend;
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
    std::vector<algebra::CallPathId> marked_;  ///< what is chosen, ascending
    bool searching_ = false;                   ///< something is found: what is not, is pale
};

/// The flame graph of the selected metric: what its colours mean, of which part of the system it is, a
/// search, and below it the scale and the values of the selected call path.
class FlamePage : public QWidget {
    Q_OBJECT
  public:
    /// All must outlive the page.
    FlamePage(CallModel& calls, ValueCache& cache, const Colors& colors, QWidget* parent = nullptr);
    ~FlamePage() override;

    FlameView* view() const { return view_; }
    QLineEdit* searchBox() const { return search_; }
    /// The experiments that differences can be shown to.
    void setOthers(const std::vector<NamedExperiment>& others);
    FlameColors colors() const;
    /// Differences are to the first of the others; without any, colours stay as they are.
    void setColors(FlameColors colors);
    /// What is selected. No locations in the context stands for all of them, or those that are selected, as
    /// the page is set.
    void follow(const Context& context, const Selection& selection);
    /// What takes the whole width, or will; nothing: everything is seen.
    std::optional<algebra::CallPathId> zoomed() const { return wanted_ ? wanted_ : model_.graph().top(); }
    /// The next time that it follows, this call path takes the whole width.
    void zoomWhenShown(algebra::CallPathId path);

  Q_SIGNALS:
    void callPathChosen(algebra::CallPathId path);
    /// The page shows another part of the system, and has to be told again what is selected.
    void partChanged();

  private:
    void buildHead();
    void chooseColors();
    void search(const QString& text);
    void showChosen();
    void updateFoot();

    CallModel& calls_;
    FlameModel model_;
    std::vector<NamedExperiment> others_;
    std::vector<algebra::CallPathId> chosen_;
    std::optional<algebra::CallPathId> wanted_;  ///< in the whole width
    QComboBox* colorBox_;
    QComboBox* partBox_;
    QLineEdit* search_;
    FlameView* view_;
    QScrollArea* scroll_;
    ColorLegend* scale_;
    FolderLegend* folders_;
    ElidedLabel* exact_;
};

}  // namespace holos::gui
