// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <QComboBox>
#include <QStatusBar>
#include <QTest>
#include <stdexcept>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "gui/app/main_window.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/timeline/timeline_waits.h"
#include "tests/gui/patience.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::gui::testing {

/// Ticks of 1 ms. Rank 1 waits from 20 to 25 for rank 0's message, in `main/MPI_Recv`; 3 ms in `main/f`.
class ShownTimeline : public ::testing::Test {
  protected:
    ShownTimeline() {
        holos::testing::TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(25, 26, {.peer = 1}).send(43, 44, {.peer = 1}).leave(50);
        trace.on(1).enter(0, "main").recv(20, 27, {.peer = 0});
        trace.on(1).enter(39, "f").recv(40, 45, {.peer = 0}).leave(46).leave(50);
        trace.write(directory.path());
        experiment =
            std::make_shared<const algebra::Experiment>(analyzer::analyze(directory.path()).experiment);
        algebra::writeCubex(*experiment, (directory.path() / "analysis.cubex").string());
        window.resize(1200, 800);
        window.show(QString::fromStdString((directory.path() / "analysis.cubex").string()), experiment);
        window.show();
        QApplication::processEvents();
    }
    Browser& browser() { return *window.browser(); }
    TimelinePane& pane() { return *browser().details()->timeline(); }
    TimelineView& view() { return *pane().view(); }
    QComboBox& lines() {
        for (QComboBox* box : pane().findChildren<QComboBox*>())
            if (box->accessibleName() == "Lines") return *box;
        throw std::runtime_error("the timeline has no choice of lines");
    }
    void chooseLines(TimelineGrouping grouping) {
        lines().setCurrentIndex(static_cast<int>(grouping));
        Q_EMIT lines().activated(static_cast<int>(grouping));
    }
    void open() {
        browser().toggleDetail("timeline");
        settle();
    }
    /// What the status bar says of the experiment.
    QString statusText() {
        QStringList texts;
        for (const auto* child : window.statusBar()->children())
            if (const auto* label = dynamic_cast<const ElidedLabel*>(child)) texts << label->text();
        return texts.join(u' ');
    }
    QString textAt(int row, double tick) {
        return view().textAt(
            {qRound(view().xOf(static_cast<trace::Ticks>(tick))), view().lineRect(row).center().y()});
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !browser().details()->isBusy(); }, kPatience));
    }

    holos::testing::TemporaryDirectory directory;
    ExperimentPtr experiment;
    MainWindow window;
};

}  // namespace holos::gui::testing
