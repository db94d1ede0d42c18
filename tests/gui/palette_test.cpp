// SPDX-License-Identifier: BSD-3-Clause
// Ctrl+P: metrics, call paths, places, bookmarks and commands by their names.
#include "gui/menus/palette.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>

#include "gui/views/program_views.h"
#include "tests/gui/model_fixture.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

QStringList namesIn(const PaletteModel& model) {
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) names << model.index(row).data().toString();
    return names;
}

class PaletteTest : public Window {
  protected:
    Palette& palette() { return *window.findChild<Palette*>(); }
    void open() {
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
        QApplication::processEvents();
    }
    void enter(const QString& text) {
        QTest::keyClicks(palette().line(), text);
        QTest::keyClick(palette().line(), Qt::Key_Return);
        QApplication::processEvents();
    }
};

}  // namespace

TEST(PaletteModel, keeps_the_rules_of_item_models) {
    PaletteModel model;
    QAbstractItemModelTester tester(&model, kFatal);
    model.setEntries({{PaletteEntry::Metric, 0, "Time", {}}, {PaletteEntry::Command, 0, "Undo", {}}});
    model.setQuery("t");
    model.setQuery("nothing of this");
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(PaletteModel, rows_of_one_name_are_told_apart_by_what_stands_above_them) {
    RowTree rows;
    rows.add("Late Sender", rows.add("Time", std::nullopt));
    rows.add("Late Sender", rows.add("Delay costs", std::nullopt));
    PaletteModel model;
    model.setEntries({{PaletteEntry::Metric, 1, rows.nameOf(NodeId(1)), {}, &rows},
                      {PaletteEntry::Metric, 3, rows.nameOf(NodeId(3)), {}, &rows}});
    model.setQuery("late");
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0).data(PaletteModel::WhereRole), "Time");
    EXPECT_EQ(model.index(1).data(PaletteModel::WhereRole), "Delay costs");
}

TEST(PaletteModel, names_that_begin_with_the_words_come_first) {
    PaletteModel model;
    model.setEntries({{PaletteEntry::CallPath, 0, "foresend", {}},
                      {PaletteEntry::CallPath, 1, "MPI_Send", {}},
                      {PaletteEntry::Metric, 2, "Late Sender", {}},
                      {PaletteEntry::CallPath, 3, "send_halo", {}},
                      {PaletteEntry::CallPath, 4, "receive", {}}});
    model.setQuery("send");
    EXPECT_EQ(namesIn(model), QStringList({"send_halo", "Late Sender", "MPI_Send", "foresend"}));
    EXPECT_EQ(model.matches(), 4);
    model.setQuery("late SEND");
    EXPECT_EQ(namesIn(model), QStringList({"Late Sender"}));
}

TEST(PaletteModel, very_many_matches_are_counted_and_some_are_listed) {
    PaletteModel model;
    std::vector<PaletteEntry> entries;
    for (int at = 0; at < 1000; ++at) entries.push_back({PaletteEntry::CallPath, at, "f", {}});
    model.setEntries(entries);
    EXPECT_EQ(model.matches(), 1000);
    EXPECT_EQ(model.rowCount(), PaletteModel::kMostListed);
}

TEST_F(PaletteTest, call_path_is_gone_to_and_the_keyboard_goes_back) {
    browser().metricPane()->tree()->setFocus();
    open();
    EXPECT_TRUE(palette().isVisible());
    enter("recv");
    EXPECT_FALSE(palette().isVisible());
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
}

TEST_F(PaletteTest, metric_is_selected) {
    open();
    enter("late");
    EXPECT_EQ(browser().metricPane()->current().data(), "Late Sender");
}

TEST_F(PaletteTest, place_of_the_system_is_selected) {
    open();
    enter("rank 1");
    EXPECT_EQ(browser().systemPane()->current().data(), "MPI Rank 1");
}

TEST_F(PaletteTest, command_is_done) {
    open();
    enter("program: flame");
    EXPECT_EQ(browser().programs()->currentIndex(), ProgramViews::FlameTab);
}

TEST_F(PaletteTest, bookmark_is_shown_again) {
    browser().revealCallPath(holos::algebra::CallPathId(3));
    QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
    browser().revealCallPath(holos::algebra::CallPathId(0));
    open();
    enter("time mpi_recv");
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
}

TEST_F(PaletteTest, escape_and_what_matches_nothing_change_nothing) {
    const QVariant before = browser().callPane()->current().data();
    open();
    enter("there is no such thing");
    EXPECT_TRUE(palette().isVisible());
    QTest::keyClick(palette().line(), Qt::Key_Escape);
    EXPECT_FALSE(palette().isVisible());
    EXPECT_EQ(browser().callPane()->current().data(), before);
}

TEST_F(PaletteTest, arrow_keys_choose_another_match) {
    open();
    QTest::keyClicks(palette().line(), "mpi rank");
    QTest::keyClick(palette().line(), Qt::Key_Down);
    QTest::keyClick(palette().line(), Qt::Key_Return);
    EXPECT_EQ(browser().systemPane()->current().data(), "MPI Rank 1");
}
