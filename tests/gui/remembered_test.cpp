// SPDX-License-Identifier: BSD-3-Clause
// What a window remembers for the next one, in settings of the test's own.
#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTemporaryDir>

#include "algebra/files/cubex.h"
#include "gui/experiments/open_experiments.h"
#include "gui/experiments/settings.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "tests/gui/patience.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

/// Fits on a screen of 800 x 800, as tests have without a display: newer releases of Qt make a remembered
/// window no larger than its screen.
constexpr QSize kWindow(780, 740);

class Remembered : public ::testing::Test {
  protected:
    void SetUp() override {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
        QApplication::setOrganizationName("Holos of this test");
        write(sampleExperiment());
    }
    void TearDown() override { QApplication::setOrganizationName({}); }

    void write(const Experiment& experiment) { writeCubex(experiment, path.toStdString()); }
    void open(MainWindow& window, const QString& what) {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.show();
        window.open(what);
        ASSERT_TRUE(opened.wait(60000));
    }

    QTemporaryDir folder;
    QString path = folder.filePath("analysis.cubex");
};

}  // namespace

TEST_F(Remembered, view_and_bookmarks_of_a_file_that_was_written_anew_are_looked_for_by_name) {
    ViewState state;
    state.metric = "mpi";
    state.calls = QStringList{"main/solve"};
    state.openCalls = {NodeId(0), NodeId(2)};
    saveStateOfFile(path, state);
    saveBookmarksOfFile(path, {{"mine", state}});
    EXPECT_EQ(stateOfFile(path), state);
    Experiment other = sampleExperiment();
    other.attributes.emplace_back("run", "the next one");
    write(other);
    state.openCalls.clear();
    EXPECT_EQ(stateOfFile(path), state);
    ASSERT_EQ(bookmarksOfFile(path).size(), 1u);
    EXPECT_EQ(bookmarksOfFile(path)[0].state, state);
}

TEST_F(Remembered, notes_at_call_paths_survive_a_new_analysis) {
    const PathNotes notes{{"main/solve;2", "two\nlines, with; signs = %"}, {"main", "slow"}};
    savePathNotesOfFile(path, notes);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::Append));
    file.write("x");
    file.close();
    EXPECT_EQ(pathNotesOfFile(path), notes);
    EXPECT_TRUE(pathNotesOfFile(path + "2").empty());
    savePathNotesOfFile(path, {});
    EXPECT_TRUE(pathNotesOfFile(path).empty());
}

/// Notes of a file stay when it is written anew, and belong to no other one.
TEST_F(Remembered, notes_in_the_timeline_survive_a_new_analysis) {
    const TimelineNotes notes{{"MPI Rank 1 / Master thread", 0.1 + 0.2, "two\nlines, with; signs = %"}};
    saveNotesOfFile(path, notes);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::Append));
    file.write("x");
    file.close();
    EXPECT_EQ(notesOfFile(path), notes);
    EXPECT_TRUE(notesOfFile(path + "2").empty());
    saveNotesOfFile(path, {});
    EXPECT_TRUE(notesOfFile(path).empty());
}

TEST_F(Remembered, size_of_the_window_and_of_its_panes) {
    QList<int> sizes;
    {
        MainWindow window;
        window.resize(kWindow);
        open(window, path);
        window.browser()->details()->open({});  // the summary, with which a file opens at first
        QTest::qWait(0);                        // its edge goes with the next events
        auto* panes = window.browser()->findChild<QSplitter*>();
        ASSERT_NE(panes, nullptr);
        panes->setSizes({320, 260, 200});
        sizes = panes->sizes();
        window.close();
    }
    MainWindow window;
    open(window, path);
    EXPECT_EQ(window.size(), kWindow);
    EXPECT_EQ(window.browser()->findChild<QSplitter*>()->sizes(), sizes);
}

TEST_F(Remembered, timeline_has_half_of_the_height_unless_another_was_chosen) {
    const auto heights = [](MainWindow& window) {
        for (const QSplitter* splitter : window.browser()->findChildren<QSplitter*>())
            if (splitter->indexOf(window.browser()->details()) >= 0) return splitter->sizes();
        return QList<int>{0, 0};
    };
    QList<int> chosen;
    {
        MainWindow window;
        window.resize(kWindow);
        open(window, path);
        window.browser()->details()->open("summary");
        QTest::qWait(0);
        EXPECT_GT(heights(window)[0], heights(window)[1]);
        window.browser()->details()->open("timeline");
        EXPECT_GT(heights(window)[1], heights(window)[0]);
        // Somebody takes the edge.
        for (QSplitter* splitter : window.browser()->findChildren<QSplitter*>()) {
            if (splitter->indexOf(window.browser()->details()) < 0) continue;
            QSplitterHandle* edge = splitter->handle(1);
            QTest::mousePress(edge, Qt::LeftButton, {}, {9, 2});
            QTest::mouseMove(edge, {9, 102});
            QTest::mouseRelease(edge, Qt::LeftButton, {}, {9, 102});
        }
        chosen = heights(window);
        EXPECT_GT(chosen[0], chosen[1]);
        window.browser()->details()->open("summary");
        window.browser()->details()->open("timeline");
        EXPECT_EQ(heights(window), chosen);
        window.close();
    }
    MainWindow window;
    open(window, path);
    window.browser()->details()->open("timeline");
    QTest::qWait(0);
    EXPECT_EQ(heights(window), chosen);
}

TEST_F(Remembered, view_that_was_closed_at_the_end_is_not_opened_as_a_heading_alone) {
    const auto partOfDetails = [](MainWindow& window) {
        const DetailViews* details = window.browser()->details();
        return details->height() / static_cast<double>(details->parentWidget()->height());
    };
    {
        MainWindow window;
        window.resize(1100, 900);
        open(window, path);
        window.browser()->details()->open({});
        window.close();
    }
    MainWindow window;
    open(window, path);
    window.browser()->details()->open("communication");
    QTest::qWait(0);
    EXPECT_GT(partOfDetails(window), 0.25);
    // What shows a part of the run is another browser, which was hidden until then.
    const Browser* before = window.browser();
    Filter part;
    part.regions = {"solve"};
    Q_EMIT window.browser()->partWanted(part);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.browser() != before; }, kPatience));
    QTest::qWait(0);
    EXPECT_GT(partOfDetails(window), 0.25);
}

TEST_F(Remembered, files_are_listed_in_the_empty_window_and_opened_by_a_click) {
    noteRecent(path);
    MainWindow window;
    QSignalSpy opened(&window, &MainWindow::opened);
    window.show();
    for (QPushButton* button : window.findChildren<QPushButton*>())
        if (button->accessibleName() == path) button->click();
    ASSERT_TRUE(opened.wait(60000));
    EXPECT_NE(window.browser(), nullptr);
}

TEST_F(Remembered, actions_on_an_experiment_wait_for_one) {
    MainWindow window;
    const auto enabled = [&window](const QString& text) {
        for (const QAction* action : window.findChildren<QAction*>())
            if (action->text() == text) return action->isEnabled();
        ADD_FAILURE() << text.toStdString();
        return false;
    };
    EXPECT_FALSE(enabled("Hottest path"));
    EXPECT_FALSE(enabled("Export view…"));
    open(window, path);
    EXPECT_TRUE(enabled("Hottest path"));
    window.experiments().close(0);
    EXPECT_FALSE(enabled("Hottest path"));
}

TEST_F(Remembered, folder_is_its_experiment) {
    MainWindow window;
    open(window, folder.path());
    EXPECT_EQ(window.windowTitle(), QFileInfo(folder.path()).fileName() + "/analysis.cubex – Holos");
    EXPECT_EQ(recentFiles(), QStringList{path});
}

TEST_F(Remembered, every_file_that_cannot_be_opened_is_told) {
    MainWindow window;
    QSignalSpy opened(&window, &MainWindow::allOpened);
    window.open(QStringList{"/nowhere/a.cubex", path, "/nowhere/b.cubex"});
    ASSERT_TRUE(opened.wait(60000));
    EXPECT_TRUE(window.message().contains("a.cubex") && window.message().contains("b.cubex"))
        << window.message().toStdString();
    EXPECT_EQ(window.experiments().all().size(), 1u);
}
