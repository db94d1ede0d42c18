// SPDX-License-Identifier: BSD-3-Clause
// The run in plain words, below the panes: open at first, and linked into them.
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "algebra/files/cubex.h"
#include "gui/models/insight_text.h"
#include "gui/views/detail_views.h"
#include "gui/views/details/summary_pane.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/findings.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

using holos::testing::Tick;

/// Four processes work and meet, eight times; rank 2 takes three times as long as the others.
holos::algebra::Experiment lateOne() {
    holos::testing::TraceBuilder trace(4);
    for (unsigned rank = 0; rank < 4; ++rank) {
        auto& events = trace.on(rank).enter(0, "main");
        const Tick works = rank == 2 ? 90 : 30;
        for (Tick begin = 0; begin < 800; begin += 100)
            events.call(begin, begin + works, "solve").barrier(begin + works, begin + 100);
        events.leave(800);
    }
    const QTemporaryDir folder;
    trace.write(folder.path().toStdString());
    return holos::analyzer::analyze(folder.path().toStdString()).experiment;
}

class SummaryView : public ::testing::Test {
  protected:
    void SetUp() override {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
        QApplication::setOrganizationName("Holos of this test");
        holos::algebra::writeCubex(lateOne(), path.toStdString());
    }
    void TearDown() override { QApplication::setOrganizationName({}); }

    void open(MainWindow& window) {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.resize(1200, 900);
        window.show();
        window.open(path);
        ASSERT_TRUE(opened.wait(60000));
        const DetailViews* details = window.browser()->details();
        ASSERT_TRUE(QTest::qWaitFor([details] { return !details->isBusy(); }, 60000));
        QApplication::processEvents();
    }

    /// Where the link is seen; a null point where it is not.
    static QPoint placeOf(const QTextBrowser& text, const QString& link) {
        for (int y = 0; y < text.viewport()->height(); y += 3)
            for (int x = 0; x < text.viewport()->width(); x += 3)
                if (text.anchorAt({x, y}) == link) return {x + 1, y};
        return {};
    }

    QTemporaryDir folder;
    QString path = folder.filePath("analysis.cubex");
};

}  // namespace

TEST_F(SummaryView, first_look_opens_it) {
    MainWindow window;
    open(window);
    ASSERT_EQ(window.browser()->details()->opened(), "summary");
    const QString said = window.browser()->details()->summary()->text()->toPlainText();
    EXPECT_TRUE(said.startsWith("4 processes ran for 800 ms.")) << said.toStdString();
    EXPECT_TRUE(said.contains("One process works longer than the others, and they wait"));
}

TEST_F(SummaryView, closed_view_stays_closed_when_the_file_is_opened_again) {
    {
        MainWindow window;
        open(window);
        QTest::keyClick(&window, Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        EXPECT_EQ(window.browser()->details()->opened(), "");
        window.close();
    }
    MainWindow window;
    open(window);
    EXPECT_EQ(window.browser()->details()->opened(), "");
}

TEST_F(SummaryView, click_on_a_value_selects_metric_call_path_and_location) {
    MainWindow window;
    open(window);
    Browser& browser = *window.browser();
    QTextBrowser& text = *browser.details()->summary()->text();
    const QPoint link = placeOf(text, "evidence:0/1");  // computation of rank 2
    ASSERT_FALSE(link.isNull());
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, link);
    const auto& experiment = browser.experiment();
    EXPECT_EQ(experiment.metrics[browser.selection().metric().metric].uniqueName, "comp");
    ASSERT_EQ(browser.selection().callPaths().given().size(), 1u);
    EXPECT_EQ(experiment.regionOf(browser.selection().callPaths().given().front().path).name, "solve");
    EXPECT_EQ(browser.selection().locations().given(), std::vector{holos::algebra::LocationId(2)});
}

TEST_F(SummaryView, links_of_others_lead_nowhere) {
    const auto summary = holos::algebra::summarize(lateOne());
    ASSERT_TRUE(summary);
    for (const char* link : {"evidence:9/0", "evidence:0/99", "evidence:0", "evidence:x/0", "callpath:0"})
        EXPECT_FALSE(evidenceOfLink(link, *summary)) << link;
    EXPECT_TRUE(evidenceOfLink("evidence:0/0", *summary));
}
