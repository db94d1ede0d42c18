// SPDX-License-Identifier: BSD-3-Clause
// The view of iterations as it is used, by mouse and keys, and walked through at random: after each step the
// screen equals a complete repaint, and table, chart and sentence agree on what is selected.
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <array>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "gui/views/detail_views.h"
#include "gui/views/filter_bar.h"
#include "gui/views/iterations/iteration_chart.h"
#include "gui/views/iterations/iterations_pane.h"
#include "tests/gui/display/dice.h"
#include "tests/gui/display/painted_texts.h"
#include "tests/gui/display/shown_window.h"
#include "tests/support/loop_trace.h"

using namespace holos::gui;
using namespace holos::gui::testing;

class ScreenIterations : public ShownWindow {
  protected:
    ExperimentPtr experimentIn(const std::filesystem::path& folder) override {
        holos::testing::TraceBuilder trace(2);
        holos::testing::tellLoop(trace, 40, 100);
        trace.write(folder);
        auto experiment =
            std::make_shared<const holos::algebra::Experiment>(holos::analyzer::analyze(folder).experiment);
        holos::algebra::writeCubex(*experiment, (folder / "analysis.cubex").string());
        return experiment;
    }
    IterationsPane& pane() { return *browser().details()->iterations(); }
    void open() {
        resizeTo({1200, 800});
        seat().press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        waitUntilIdle();
        ASSERT_EQ(pane().model().rowCount(), 10) << pane().message().toStdString();
    }
    QPoint bar(int row) {
        const QRectF all = pane().chart()->barRect(row);
        return {qRound(all.center().x()), qRound(all.bottom()) - 2};
    }
    void clickRow(int row, Qt::KeyboardModifiers held = {}) {
        const QModelIndex at = pane().table()->model()->index(row, 1);
        pane().table()->scrollTo(at);
        seat().settle();
        seat().click(pane().table()->viewport(), pane().table()->visualRect(at).center(), held);
    }
    QPoint heading(int column) {
        const auto* header = pane().table()->horizontalHeader();
        return {header->sectionViewportPosition(column) + 10, header->height() / 2};
    }
    void clickHeading(int column) {
        seat().click(pane().table()->horizontalHeader()->viewport(), heading(column));
    }
    /// Rows in sight are painted as the model has them, those that are selected are those of the chart, and
    /// the sentence is about them.
    void expectAgreement(const QString& after) {
        QTableView& table = *pane().table();
        PaintedTexts paper(table.viewport()->size());
        table.viewport()->render(&paper);
        const QStringList painted = paper.texts();
        const int first = table.rowAt(1);
        ASSERT_GE(first, 0);
        EXPECT_TRUE(painted.contains(table.model()->index(first, 1).data().toString()))
            << after.toStdString() << ": " << painted.join(u"|"_qs).toStdString();
        const IterationRows rows = pane().chart()->selected();
        const auto selected = table.selectionModel()->selectedRows();
        ASSERT_EQ(static_cast<int>(selected.size()), rows.isEmpty() ? 0 : rows.last - rows.first + 1)
            << after.toStdString();
        for (const QModelIndex& row : selected) {
            const int number = row.siblingAtColumn(0).data().toInt() - 1;
            EXPECT_TRUE(number >= rows.first && number <= rows.last) << after.toStdString();
        }
        EXPECT_EQ(pane().selectedText(), pane().model().textOf(rows)) << after.toStdString();
        check(after);
    }
};

TEST_F(ScreenIterations, are_selected_by_mouse_and_keys_and_shown_alone) {
    open();
    expectAgreement(u"opening the view"_qs);
    clickRow(6);
    expectAgreement(u"clicking a row"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{6, 6}));
    seat().drag(pane().chart(), bar(2), bar(5));
    expectAgreement(u"dragging over bars"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 5}));
    seat().press(Qt::Key_Right, Qt::ShiftModifier);
    expectAgreement(u"taking one more by a key"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 6}));
    clickHeading(2);
    clickHeading(2);
    expectAgreement(u"sorting by time"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 6}));

    seat().click(pane().only(), pane().only()->rect().center());
    ASSERT_TRUE(QTest::qWaitFor([this] { return browser().filter().range.has_value(); }, kLongPatience));
    waitUntilIdle();
    EXPECT_TRUE(browser().filterBar()->text().contains(u"iterations 3 to 7"_qs))
        << browser().filterBar()->text().toStdString();
    expectAgreement(u"showing several alone"_qs);
    EXPECT_EQ(pane().chart()->selected(), (IterationRows{2, 6}));

    resizeTo({900, 600});
    expectAgreement(u"a smaller window"_qs);
    Q_EMIT browser().filterBar()->wanted({});
    ASSERT_TRUE(QTest::qWaitFor([this] { return browser().filter().isEmpty(); }, kLongPatience));
    waitUntilIdle();
    expectAgreement(u"showing the whole run again"_qs);
}

class ScreenIterationsWalk : public ScreenIterations, public ::testing::WithParamInterface<unsigned> {
  protected:
    QString step() {
        IterationChart* chart = pane().chart();
        QWidget* table = pane().table()->viewport();
        const Qt::KeyboardModifiers held = dice_.below(3) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
        switch (dice_.below(8)) {
            case 0:
                seat().click(chart, dice_.placeIn(chart->rect()), held);
                return u"clicking in the chart"_qs;
            case 1: {
                const QPoint from = dice_.placeIn(chart->rect());
                seat().drag(chart, from, dice_.placeIn(chart->rect()));
                return u"dragging in the chart"_qs;
            }
            case 2:
                seat().click(table, dice_.placeIn(table->rect()), held);
                return u"clicking in the table"_qs;
            case 3:
                seat().wheel(table, dice_.placeIn(table->rect()), dice_.below(2) == 0 ? 2 : -2);
                return u"turning the wheel"_qs;
            case 4:
                clickHeading(dice_.below(pane().model().columnCount() - 1));
                return u"sorting"_qs;
            case 5:
                resizeTo({800 + dice_.below(400), 500 + dice_.below(350)});
                return u"resizing"_qs;
            default: {
                static constexpr std::array kKeys{Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End,
                                                  Qt::Key_Up,   Qt::Key_Down,  Qt::Key_Tab};
                const Qt::Key key = dice_.oneOf(kKeys);
                seat().press(key, key == Qt::Key_Tab ? Qt::NoModifier : held);
                return u"the key %1"_qs.arg(QKeySequence(held | key).toString());
            }
        }
    }

  private:
    Dice dice_{GetParam()};
};

TEST_P(ScreenIterationsWalk, every_step_is_shown_completely) {
    constexpr int kSteps = 40;
    open();
    for (int at = 0; at < kSteps && !HasFailure(); ++at)
        expectAgreement(u"seed %1, step %2: "_qs.arg(GetParam()).arg(at) + step());
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScreenIterationsWalk, ::testing::Values(1U, 2U, 3U));
