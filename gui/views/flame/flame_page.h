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
class FlameView;
class FolderLegend;

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
