// SPDX-License-Identifier: BSD-3-Clause
// A program in the browser while it is recorded.
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>

#include "algebra/files/experiment_file.h"
#include "base/error.h"
#include "gui/experiments/open_experiments.h"
#include "gui/live/live_bar.h"
#include "gui/live/perfometer.h"
#include "gui/live/watched_run.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/patience.h"
#include "tests/gui/sample_experiment.h"
#include "tests/gui/window_fixture.h"
#include "tests/unit/tracing/watched_folder.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using holos::algebra::Experiment;
using holos::tracing::RecordKind;

namespace {

/// The sample with one more call path, which comes first in the tree, and a second of it.
Experiment later() {
    Experiment experiment = sampleExperiment();
    holos::algebra::CallPath path;
    path.region = holos::algebra::RegionId(3);
    const auto added = experiment.callTree.add(path, holos::algebra::CallPathId(1));
    holos::algebra::SeverityTable times = experiment.newTable();
    times.add(added, holos::algebra::LocationId(0), 1.0);
    for (const auto at : {1U, 2U})
        times.add(holos::algebra::CallPathId(at), holos::algebra::LocationId(0), 3.0);
    experiment.severities.set(*experiment.findMetric("time"), times);
    return experiment;
}

LiveLook lookAt(std::initializer_list<double> values) {
    LiveLook look;
    look.metrics = {{"computation", "%"}, {"MPI", "%"}, {"OpenMP", "%"}, {"waiting", "%"}, {"lost", "%"}};
    std::size_t rank = 0;
    for (const double value : values) {
        holos::watch::Row row;
        row.name = "rank " + std::to_string(rank++);
        row.values = {0, value, 0, 0, value};
        look.rows.push_back(row);
    }
    look.summary = "2 processes";
    return look;
}

/// A folder with a process of this machine that is in `work` since a moment ago.
class LiveFolder : public holos::watch::WatchedFolder {
  protected:
    void SetUp() override {
        auto log = program();
        region(log, 1, "work", holos::tracing::Paradigm::User);
        folder_ = write("host.1.0", log);
        holos::testing::RawEvents().add(RecordKind::Enter, ticks(100), {1}).write(folder_);
    }
    QString path() const { return QString::fromStdString(directory_.path().string()); }

    Folder folder_;
};

}  // namespace

TEST(RepeatedAnalysis, rests_nine_times_as_long_as_one_takes) {
    EXPECT_EQ(RepeatedAnalysis::restAfter(1000), 9000);
    EXPECT_EQ(RepeatedAnalysis::restAfter(60000), 540000);
    EXPECT_GE(RepeatedAnalysis::restAfter(1), 1000);
}

TEST(RepeatedAnalysis, whole_run_is_the_last_one) {
    int times = 0;
    RepeatedAnalysis analysis([&times] {
        ++times;
        return Snapshot{shared(sampleExperiment()), {}, {}, true};
    });
    bool isTaken = false;
    QObject::connect(&analysis, &RepeatedAnalysis::taken, [&isTaken] { isTaken = true; });
    analysis.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return isTaken; }, kPatience));
    analysis.setPaused(true);
    analysis.setPaused(false);
    EXPECT_EQ(times, 1);
}

TEST(RepeatedAnalysis, trouble_is_told) {
    RepeatedAnalysis analysis([]() -> Snapshot { throw holos::Error("nothing is recorded yet"); });
    QString told;
    QObject::connect(&analysis, &RepeatedAnalysis::failed,
                     [&told](const QString& message) { told = message; });
    analysis.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !told.isEmpty(); }, kPatience));
    EXPECT_EQ(told, "nothing is recorded yet");
}

TEST(Perfometer, says_the_newest_values_of_those_that_are_chosen) {
    Perfometer plot;
    plot.add(lookAt({10, 80}));
    plot.add(lookAt({20, 60}));
    EXPECT_EQ(plot.accessibleDescription(), "rank 0 20 %, rank 1 60 %");
    plot.setChosen({"rank 1"});
    EXPECT_EQ(plot.accessibleDescription(), "rank 1 60 %");
    plot.setMetric(0);
    EXPECT_EQ(plot.accessibleDescription(), "rank 1 0 %");
}

TEST_F(Window, replaced_experiment_is_looked_at_in_the_same_way) {
    browser().callPane()->reveal(named(browser().callPane(), "MPI_Recv"));
    browser().callPane()->tree()->setExpanded(named(browser().callPane(), "init"), true);
    browser().systemPane()->reveal(named(browser().systemPane(), "MPI Rank 1"));
    browser().selectMetric("time");
    window.experiments().replace("sample.cubex", shared(later()));
    QApplication::processEvents();
    EXPECT_EQ(window.experiments().all().size(), 1U);
    EXPECT_EQ(browser().experiment().callTree.size(), 5U);
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
    EXPECT_EQ(browser().callPane()->current().parent().data(), "solve");
    EXPECT_EQ(browser().systemPane()->current().data(), "MPI Rank 1");
    EXPECT_TRUE(browser().callPane()->tree()->isExpanded(named(browser().callPane(), "solve")));
    EXPECT_EQ(window.windowTitle(), "sample.cubex – Holos");
}

TEST_F(Window, steps_can_be_taken_back_in_the_experiment_that_takes_the_place) {
    browser().callPane()->reveal(named(browser().callPane(), "init"));
    QApplication::processEvents();
    browser().callPane()->reveal(named(browser().callPane(), "MPI_Recv"));
    QApplication::processEvents();
    window.experiments().replace("sample.cubex", shared(later()));
    QApplication::processEvents();
    browser().views().undo();
    EXPECT_EQ(browser().callPane()->current().data(), "init");
    browser().views().redo();
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
    EXPECT_TRUE(browser().callPane()->tree()->isExpanded(named(browser().callPane(), "solve")));
}

TEST_F(Window, table_and_flame_graph_stay_as_they_were_set_in_the_experiment_that_takes_the_place) {
    browser().systemViews()->table()->sortByColumn(0, Qt::AscendingOrder);
    const auto solve = [this] {
        TreePane* calls = browser().callPane();
        return holos::algebra::CallPathId(calls->model()->nodeOf(named(calls, "solve")).index());
    };
    browser().programs()->flame()->zoomWhenShown(solve());
    QApplication::processEvents();
    window.experiments().replace("sample.cubex", shared(later()));
    QApplication::processEvents();
    const QHeaderView& header = *browser().systemViews()->table()->horizontalHeader();
    EXPECT_EQ(header.sortIndicatorSection(), 0);
    EXPECT_EQ(header.sortIndicatorOrder(), Qt::AscendingOrder);
    EXPECT_EQ(browser().programs()->flame()->zoomed(), solve());
}

TEST_F(Window, search_goes_on_in_the_experiment_that_takes_the_place) {
    window.activateWindow();
    browser().callPane()->searchBox()->setFocus();
    QTest::keyClicks(browser().callPane()->searchBox(), "recv");
    const bool hadFocus = browser().callPane()->searchBox()->hasFocus();
    window.experiments().replace("sample.cubex", shared(later()));
    QApplication::processEvents();
    EXPECT_EQ(browser().callPane()->searchBox()->text(), "recv");
    EXPECT_EQ(browser().callPane()->searchBox()->hasFocus(), hadFocus);
    QTest::keyClick(browser().callPane()->searchBox(), Qt::Key_Return);
    EXPECT_EQ(browser().callPane()->current().data(), "MPI_Recv");
}

TEST_F(Window, replacing_what_is_not_open_opens_it) {
    window.experiments().replace("other.cubex", shared(later()));
    EXPECT_EQ(window.experiments().all().size(), 2U);
}

TEST_F(LiveFolder, look_shows_who_records) {
    LivingRun run(path());
    LiveLook seen;
    QObject::connect(&run, &LivingRun::looked, [&seen](const LiveLook& look) { seen = look; });
    run.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !seen.rows.empty(); }, kPatience));
    EXPECT_FALSE(seen.isOver);
    EXPECT_TRUE(seen.summary.startsWith("1 process, 1 live")) << seen.summary.toStdString();
}

TEST_F(LiveFolder, snapshot_that_is_not_wanted_any_more_ends_early) {
    std::atomic<bool> isWanted = true;
    EXPECT_TRUE(takeSnapshot(path().toStdString(), isWanted).experiment);
    isWanted = false;
    EXPECT_THROW(takeSnapshot(path().toStdString(), isWanted), holos::Error);
}

TEST_F(LiveFolder, folder_without_a_recording_is_told) {
    LivingRun run("/nowhere/at/all");
    QString told;
    QObject::connect(&run, &LivingRun::failed, [&told](const QString& message) { told = message; });
    run.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !told.isEmpty(); }, kPatience));
}

TEST_F(LiveFolder, snapshots_follow_each_other_in_the_same_place) {
    MainWindow window;
    window.watch(path());
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.browser() != nullptr; }, kPatience));
    auto* bar = window.findChild<LiveBar*>();
    EXPECT_FALSE(bar->isHidden());
    EXPECT_TRUE(bar->keepButton()->isEnabled());
    EXPECT_FALSE(bar->changeBox()->isEnabled());  // there is but one
    EXPECT_TRUE(bar->text().contains("panes until")) << bar->text().toStdString();
    EXPECT_TRUE(window.browser()->callPane()->model()->rows().withKey("app/work"));
    const Browser* first = window.browser();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->changeBox()->isEnabled(); }, kPatience));
    EXPECT_NE(window.browser(), first);
    EXPECT_EQ(window.experiments().all().size(), 1U);
    // A menu that is open belongs to what is shown.
    QMenu menu;
    menu.addAction("something");
    menu.popup({});
    const Browser* shown = window.browser();
    bar->changeBox()->setChecked(true);
    EXPECT_EQ(window.browser(), shown);
    menu.close();
    EXPECT_FALSE(bar->text().contains("only what came last")) << "while the panes are as before";
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.browser() != shown; }, kPatience));
    EXPECT_TRUE(bar->text().contains("only what came last")) << bar->text().toStdString();
    EXPECT_EQ(window.experiments().all().size(), 1U);
    window.experiments().close(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->isHidden(); }, kPatience));
}

TEST_F(LiveFolder, run_that_has_ended_is_not_said_to_live_and_has_no_plot_of_nothing) {
    LivingRun run(path());
    LiveLook seen;
    QObject::connect(&run, &LivingRun::looked, [&seen](const LiveLook& look) { seen = look; });
    run.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !seen.rows.empty(); }, kPatience));
    LiveBar bar;
    bar.start(u"run"_qs);
    bar.add(seen);
    EXPECT_TRUE(bar.text().contains("1 live")) << bar.text().toStdString();
    bar.setState(u"the run has ended"_qs);
    bar.setOver();
    EXPECT_FALSE(bar.text().contains("live")) << bar.text().toStdString();
    EXPECT_FALSE(bar.perfometer()->isHidden());
    bar.start(u"another"_qs);
    bar.setOver();
    EXPECT_TRUE(bar.perfometer()->isHidden());
    bar.start(u"a third"_qs);
    EXPECT_FALSE(bar.perfometer()->isHidden());
}

TEST_F(LiveFolder, folder_without_anything_to_watch_is_told_and_left) {
    MainWindow window;
    window.watch("/nowhere/at/all");
    const auto* bar = window.findChild<LiveBar*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->isHidden(); }, kPatience));
    EXPECT_FALSE(window.message().isEmpty());
}

TEST_F(LiveFolder, what_is_shown_can_be_kept) {
    MainWindow window;
    LiveBar bar;
    WatchedRun watched(path(), window.experiments(), window.filtering(), bar);
    watched.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.browser() != nullptr; }, kPatience));
    const std::string file = (directory_.path() / "kept.cubex").string();
    watched.keep(QString::fromStdString(file));
    EXPECT_EQ(holos::algebra::readExperiment(file).callTree.size(),
              window.browser()->experiment().callTree.size());
}
