// SPDX-License-Identifier: BSD-3-Clause
// Random walks through the browser: after each step the screen equals a complete repaint, and the rows in
// sight say what models say that were made anew.
#include <QHeaderView>
#include <QLineEdit>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTableView>
#include <QTextEdit>
#include <array>

#include "gui/views/detail_views.h"
#include "gui/views/distribution_view.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/topology/topology_view.h"
#include "tests/gui/display/dice.h"
#include "tests/gui/display/fresh_panes.h"
#include "tests/gui/display/shown_window.h"
#include "tests/support/large_experiment.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

constexpr int kSteps = 90;
constexpr int kLargeSteps = 20;

struct Keys {
    Qt::Key key;
    Qt::KeyboardModifiers held;
};
constexpr Qt::KeyboardModifiers kControl = Qt::ControlModifier;
constexpr Qt::KeyboardModifiers kBoth = Qt::ControlModifier | Qt::ShiftModifier;

/// Keys that open no dialog.
constexpr std::array kKeys{
    Keys{Qt::Key_Left, {}},    Keys{Qt::Key_Right, {}},   Keys{Qt::Key_Up, {}},
    Keys{Qt::Key_Down, {}},    Keys{Qt::Key_PageUp, {}},  Keys{Qt::Key_PageDown, {}},
    Keys{Qt::Key_Home, {}},    Keys{Qt::Key_End, {}},     Keys{Qt::Key_Plus, {}},
    Keys{Qt::Key_Minus, {}},   Keys{Qt::Key_M, {}},       Keys{Qt::Key_Tab, {}},
    Keys{Qt::Key_A, kBoth},    Keys{Qt::Key_P, kBoth},    Keys{Qt::Key_0, kControl},
    Keys{Qt::Key_9, kControl}, Keys{Qt::Key_H, kControl}, Keys{Qt::Key_N, kControl},
    Keys{Qt::Key_E, kBoth},    Keys{Qt::Key_C, kBoth},    Keys{Qt::Key_R, kControl},
    Keys{Qt::Key_G, kControl}, Keys{Qt::Key_X, kBoth},    Keys{Qt::Key_S, kBoth},
    Keys{Qt::Key_T, kBoth},    Keys{Qt::Key_W, kBoth},    Keys{Qt::Key_M, kControl},
    Keys{Qt::Key_1, kControl}, Keys{Qt::Key_2, kControl}, Keys{Qt::Key_3, kControl},
    Keys{Qt::Key_4, kControl}, Keys{Qt::Key_5, kControl}, Keys{Qt::Key_6, kControl},
    Keys{Qt::Key_7, kControl}, Keys{Qt::Key_Return, {}},  Keys{Qt::Key_D, kBoth},
    Keys{Qt::Key_V, kBoth},    Keys{Qt::Key_L, kBoth},
};

}  // namespace

class ScreenWalk : public ShownWindow, public ::testing::WithParamInterface<unsigned> {
  protected:
    void walk(int steps) {
        QStringList done;
        for (int at = 0; at < steps; ++at) {
            const QString what = step();
            if (what.isEmpty()) continue;
            done << what;
            const QString now = u"seed %1, step %2: "_qs.arg(GetParam()).arg(at) + what;
            ASSERT_TRUE(isCompletelyPainted(seat(), now)) << done.join(u", "_qs).toStdString();
            ASSERT_TRUE(FreshPanes(browser()).areShown(now)) << done.join(u", "_qs).toStdString();
        }
    }

  private:
    /// What a pointer may touch without opening a dialog.
    std::vector<QWidget*> places() {
        std::vector<QWidget*> all;
        const auto add = [&all](QWidget* widget) {
            if (widget->isVisible() && widget->width() > 0 && widget->height() > 0) all.push_back(widget);
        };
        for (QAbstractScrollArea* area : window().findChildren<QAbstractScrollArea*>()) add(area->viewport());
        for (const char* name : {"Distribution", "Communication", "Flame graph"})
            for (QWidget* view : window().findChildren<QWidget*>(QString::fromLatin1(name))) add(view);
        for (QTabBar* bar : window().findChildren<QTabBar*>()) add(bar);
        for (QScrollBar* bar : window().findChildren<QScrollBar*>()) add(bar);
        return all;
    }
    QString nameOf(const QWidget* widget) {
        while (widget->parentWidget() != nullptr &&
               (widget->objectName().isEmpty() || widget->objectName().startsWith(u"qt_"_qs)))
            widget = widget->parentWidget();
        return widget->objectName();
    }

    QString clickSomewhere() {
        const std::vector<QWidget*> all = places();
        const QWidget* place = dice.oneOf(all);
        const bool several = dice.below(4) == 0;
        seat().click(place, dice.placeIn(place->rect()), several ? Qt::ControlModifier : Qt::NoModifier);
        return u"clicking in "_qs + nameOf(place);
    }
    QString turnWheel() {
        const std::vector<QWidget*> all = places();
        const QWidget* place = dice.oneOf(all);
        const int steps = dice.below(2) == 0 ? 2 : -2;
        const bool zooms = dice.below(2) == 0;
        seat().wheel(place, dice.placeIn(place->rect()), steps, zooms ? Qt::ControlModifier : Qt::NoModifier);
        return u"turning the wheel over "_qs + nameOf(place);
    }
    QString drag() {
        std::vector<QWidget*> all = places();
        for (QSplitterHandle* handle : window().findChildren<QSplitterHandle*>())
            if (handle->isVisible()) all.push_back(handle);
        QWidget* place = dice.oneOf(all);
        const QPoint by(dice.below(121) - 60, dice.below(121) - 60);
        const QPoint from = dice.placeIn(place->rect());
        // Selected text would be carried, and wait for a place where it may be dropped.
        if (qobject_cast<const QTextEdit*>(place->parentWidget()) != nullptr) return {};
        seat().drag(place, from, from + by);
        return u"dragging in "_qs + nameOf(place);
    }
    QString openOrClose() {
        const std::array panes{browser().metricPane(), browser().callPane(), browser().systemPane()};
        const TreePane* pane = dice.oneOf(panes);
        if (!pane->isVisible()) return {};
        std::vector<QModelIndex> rows;
        for (QModelIndex row = pane->tree()->indexAt({1, 1}); row.isValid();
             row = pane->tree()->indexBelow(row))
            if (pane->tree()->viewport()->rect().contains(pane->tree()->visualRect(row)) &&
                pane->model()->rowCount(row) > 0)
                rows.push_back(row);
        if (rows.empty()) return {};
        clickArrow(pane, dice.oneOf(rows));
        return u"an arrow in "_qs + pane->objectName();
    }
    QString pressKey() {
        const Keys& keys = dice.oneOf(kKeys);
        seat().press(keys.key, keys.held);
        return u"the key %1"_qs.arg(QKeySequence(keys.held | keys.key).toString());
    }
    QString undo() {
        seat().press(Qt::Key_Z,
                     dice.below(2) == 0 ? Qt::ControlModifier : Qt::ControlModifier | Qt::ShiftModifier);
        return u"undo or redo"_qs;
    }
    QString search() {
        const std::array panes{browser().metricPane(), browser().callPane(), browser().systemPane()};
        TreePane* pane = dice.oneOf(panes);
        if (!pane->isVisible()) return {};
        seat().click(pane->searchBox(), pane->searchBox()->rect().center());
        seat().type(dice.below(2) == 0 ? u"n1"_qs : u"e"_qs);
        seat().press(Qt::Key_Return);
        pane->tree()->setFocus();
        seat().settle();
        return u"searching in "_qs + pane->objectName();
    }
    QString sort() {
        for (const QTableView* table : window().findChildren<QTableView*>()) {
            if (!table->isVisible()) continue;
            const QWidget* header = table->horizontalHeader()->viewport();
            seat().click(header, dice.placeIn(header->rect()));
        }
        return u"sorting"_qs;
    }
    QString toggleColumn() {
        const std::array panes{Pane::Metrics, Pane::Program, Pane::System};
        browser().toggleColumn(
            dice.oneOf(panes),
            TreeModel::InclusiveColumn + dice.below(TreeModel::kColumns - TreeModel::InclusiveColumn));
        seat().settle();
        return u"showing or hiding a column"_qs;
    }
    QString changeOrder() {
        if (dice.below(2) == 0) {
            browser().setOrder(dice.oneOf(orders));
        } else {
            const auto views = programViews();
            browser().setProgramView(dice.oneOf(views).value);
        }
        seat().settle();
        return u"choosing an order of the panes or of the program"_qs;
    }
    QString chooseMode() {
        const auto mode = static_cast<ValueMode>(dice.below(static_cast<int>(valueModes().size())));
        window().setMode(mode == ValueMode::External ? ValueMode::Absolute : mode);
        seat().settle();
        return u"choosing how values are written"_qs;
    }
    QString resizeWindow() {
        resizeTo({700 + dice.below(500), 450 + dice.below(450)});
        return u"resizing"_qs;
    }
    QString disappear() {
        hideAndShow();
        return u"hiding and showing"_qs;
    }

    QString step() {
        const int kind = dice.below(44);
        if (kind < 12) return pressKey();
        if (kind < 19) return clickSomewhere();
        if (kind < 24) return openOrClose();
        if (kind < 29) return turnWheel();
        if (kind < 32) return drag();
        if (kind < 34) return chooseMode();
        if (kind < 36) return sort();
        if (kind < 37) return undo();
        if (kind < 38) return search();
        if (kind < 39) return resizeWindow();
        if (kind < 41) return toggleColumn();
        if (kind < 43) return changeOrder();
        return disappear();
    }

    Dice dice{GetParam()};
    const std::vector<PaneOrder> orders = paneOrders();
};

TEST_P(ScreenWalk, every_step_is_shown_completely) {
    walk(kSteps);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScreenWalk,
                         ::testing::Values(23U, 33U, 101U, 105U, 205U, 236U, 301U, 312U, 326U));

class LargeScreenWalk : public ScreenWalk {
  protected:
    ExperimentPtr experimentIn(const std::filesystem::path&) override {
        holos::testing::LargeExperimentShape shape;
        shape.callPaths = 30;
        shape.ranks = 65536;
        shape.threads = 1;
        return std::make_shared<const holos::algebra::Experiment>(holos::testing::largeExperiment(shape));
    }
};

TEST_P(LargeScreenWalk, every_step_over_65536_locations_is_shown_completely) {
    walk(kLargeSteps);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LargeScreenWalk, ::testing::Values(1U));
