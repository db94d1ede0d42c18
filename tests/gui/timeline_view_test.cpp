// SPDX-License-Identifier: BSD-3-Clause
// What painting a timeline costs: names of lines are shaped once, whatever is done with it.
#include <gtest/gtest.h>

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "gui/models/timeline/timeline_reader.h"
#include "gui/views/timeline/timeline_view.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

using namespace holos::gui;

namespace {

class CountingView : public TimelineView {
  public:
    mutable int measured = 0;

  protected:
    int widthOf(const QString& name) const override {
        ++measured;
        return TimelineView::widthOf(name);
    }
};

/// Of a trace with 48 locations.
class ManyRows : public ::testing::Test {
  protected:
    static constexpr int kRows = 48;

    void SetUp() override {
        holos::testing::LargeTraceShape shape;
        shape.processes = kRows;
        shape.rounds = 1;
        shape.callsPerRound = 20;
        holos::testing::writeLargeTrace(directory.path(), shape);
        reader = std::make_unique<TimelineReader>(QString::fromStdString(directory.path().string()));
        QSignalSpy opened(reader.get(), &TimelineReader::opened);
        reader->open();
        ASSERT_TRUE(opened.wait(60000));
        view.resize(1000, 400);
        view.setTrace(reader->definitions());
        view.setWindow(0, static_cast<trace::Ticks>(reader->definitions()->clock.length));
        view.show();
        view.setPicture(read());
        view.grab();
    }
    TimelinePtr read() {
        TimelinePtr picture;
        QObject::connect(reader.get(), &TimelineReader::ready, &view,
                         [&picture](const TimelinePtr& ready) { picture = ready; });
        reader->read(view.question());
        EXPECT_TRUE(QTest::qWaitFor([&picture] { return picture != nullptr; }, 60000));
        reader->disconnect(&view);
        return picture;
    }
    void turnWheel(int by) {
        const QPointF place = view.viewport()->rect().center();
        QWheelEvent event(place, view.viewport()->mapToGlobal(place), {}, {0, by}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.viewport(), &event);
        view.grab();
    }

    holos::testing::TemporaryDirectory directory;
    std::unique_ptr<TimelineReader> reader;
    CountingView view;
};

}  // namespace

TEST_F(ManyRows, names_are_measured_once_for_a_trace) {
    EXPECT_GE(view.measured, kRows);
    view.measured = 0;
    view.setPicture(read());
    view.grab();
    EXPECT_EQ(view.measured, 0);
}

TEST_F(ManyRows, mouse_wheel_and_keys_measure_no_name_again) {
    view.measured = 0;
    turnWheel(120);
    turnWheel(-120);
    const QPoint middle = view.viewport()->rect().center();
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, middle);
    for (int x = 0; x < 20; ++x) {
        QTest::mouseMove(view.viewport(), middle + QPoint(x, 0));
        view.grab();
    }
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, middle + QPoint(20, 0));
    QTest::keyClick(&view, Qt::Key_Left);
    view.setSelected(trace::LocationId(7));
    view.textAt(middle);
    view.grab();
    EXPECT_EQ(view.measured, 0);
}

TEST_F(ManyRows, names_in_another_font_are_measured_again) {
    const double before = view.xOf(view.from());
    QFont larger = view.font();
    larger.setPointSizeF(larger.pointSizeF() + 2.0);
    view.measured = 0;
    view.setFont(larger);
    EXPECT_EQ(view.measured, kRows);
    EXPECT_GT(view.xOf(view.from()), before);
}

TEST_F(ManyRows, marked_wait_is_brought_into_sight) {
    view.setFramed(TimelineWait{trace::LocationId(40), 0, 1000, std::nullopt});
    view.reveal(trace::LocationId(40));
    EXPECT_TRUE(view.viewport()->rect().contains(view.lineRect(40)));
    EXPECT_GE(view.lineRect(40).height(), 12);
    view.resize(1000, 250);
    QApplication::processEvents();
    EXPECT_TRUE(view.viewport()->rect().contains(view.lineRect(40)));
}

/// As when a line about a range of time appears above it, or goes.
TEST_F(ManyRows, marked_wait_out_of_sight_does_not_move_the_lines_when_the_height_changes) {
    view.setFramed(TimelineWait{trace::LocationId(40), 0, 1000, std::nullopt});
    view.setSelected(trace::LocationId(40));
    view.verticalScrollBar()->setValue(0);
    for (const int height : {370, 400}) {
        view.resize(1000, height);
        QApplication::processEvents();
        EXPECT_EQ(view.verticalScrollBar()->value(), 0) << height;
    }
}

TEST_F(ManyRows, pinned_lines_stay_in_sight_with_what_they_did_while_others_are_scrolled) {
    view.setPinned({40, 3, 4711});
    view.setPicture(read());
    EXPECT_EQ(view.layout().pinned(), PinnedLocations({40, 3}));
    const QRect first = view.lineRect(0);
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
    const TimelinePtr picture = read();
    view.setPicture(picture);
    view.grab();
    EXPECT_EQ(view.lineOf(trace::LocationId(40)), 0);
    EXPECT_EQ(view.lineRect(0), first);
    ASSERT_NE(picture->contentOf(0), nullptr);
    EXPECT_FALSE(picture->contentOf(0)->excerpt.spans.empty());
    EXPECT_EQ(picture->contentOf(2), nullptr);  // scrolled away
    EXPECT_EQ(picture->lineOf(*picture->rowOf(kRows - 1)), kRows - 1);
    EXPECT_GE(view.lineRect(picture->firstLine).top(), view.lineRect(1).bottom());
    EXPECT_LT(view.lineRect(kRows - 1).bottom(), view.viewport()->height());
    const QString text = view.textAt({view.viewport()->width() / 2, first.center().y()});
    EXPECT_TRUE(text.contains("40")) << text.toStdString();
    view.togglePin(trace::LocationId(40));
    EXPECT_EQ(view.layout().pinned(), PinnedLocations({3}));
}
