// SPDX-License-Identifier: BSD-3-Clause
// What the timeline shows of the course of a run: marks over the lines, heat maps, counters as curves.
#include <sys/resource.h>

#include <QAccessible>
#include <QScrollBar>
#include <QSemaphore>
#include <QThread>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <thread>

#include "algebra/operators/only.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "gui/models/timeline/timeline_course.h"
#include "gui/models/timeline/times_in_part.h"
#include "gui/views/timeline/timeline_colors.h"
#include "gui/views/timeline/timeline_comparison.h"
#include "gui/views/timeline/timeline_curves.h"
#include "gui/views/timeline/timeline_legend.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "tests/gui/timeline_fixture.h"
#include "tests/support/stack_trace.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::testing;

namespace {

class TimelineInTime : public ShownTimeline {
  protected:
    /// All of another run.
    void openOther(TraceBuilder& trace) {
        trace.write(other_.path());
        open();
        pane().openTrace(QString::fromStdString(other_.path().string()));
        settle();
        view().showAll();
        settle();
    }

  private:
    TemporaryDirectory other_;
};

/// Work in the background that others stand in line behind until it is let go.
class WorkBefore {
  public:
    WorkBefore() {
        lastInLine().setMaxThreadCount(1);
        lastInLine().start([this] { letGo_.tryAcquire(1, kPatience); });
    }
    ~WorkBefore() {
        letGo();
        lastInLine().setMaxThreadCount(QThread::idealThreadCount());
    }
    WorkBefore(const WorkBefore&) = delete;
    WorkBefore& operator=(const WorkBefore&) = delete;

    /// False: the work behind it has not ended for a long time.
    bool letGo() {
        letGo_.release();
        return lastInLine().waitForDone(kPatience);
    }

  private:
    QSemaphore letGo_;
};

/// What an analysis says of the calls of a function, with all that it calls.
holos::algebra::Experiment onlyIn(const std::filesystem::path& archive, const std::string& function) {
    holos::algebra::Experiment whole = holos::analyzer::analyze(archive).experiment;
    holos::algebra::Only part{.name = "calls of " + function};
    for (const holos::algebra::CallPathId path : whole.callTree.ids()) {
        bool isIn = false;
        for (std::optional<holos::algebra::CallPathId> at = path; at && !isIn;
             at = whole.callTree.parent(*at))
            isIn = whole.regionOf(*at).name == function;
        part.callPaths.push_back(isIn);
    }
    return holos::algebra::only(std::move(whole), part);
}

}  // namespace

TEST(TimelineCurvesOfAThread, follow_the_window_and_say_what_they_are) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    const auto counters = builder.counters({Counter{"power", "W", OTF2_METRIC_ABSOLUTE_POINT}});
    builder.on(0).enter(0, "main").counters(0, counters, {5}).counters(500, counters, {9}).leave(1000);
    builder.write(directory.path());
    TimelineTrack track;
    track.resize(900, 400);
    track.show();
    track.openTrace(QString::fromStdString(directory.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    EXPECT_FALSE(track.curves()->isVisible()) << "no thread is selected";
    track.setSelected(trace::LocationId(0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    ASSERT_EQ(track.curves()->count(), 1);
    EXPECT_TRUE(track.curves()->isVisible());
    const int width = track.curves()->width();
    EXPECT_TRUE(track.curves()->textAt({width - 25, 5}).contains("power: 9 W"))
        << track.curves()->textAt({width - 25, 5}).toStdString();
    track.view()->changeWindow(0, 400);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    EXPECT_TRUE(track.curves()->textAt({width - 25, 5}).contains("power: 5 W"));
}

/// `f` calls MPI at 300, and after 500 something else does.
TEST(TimelineCurvesOfAThread, are_of_the_call_paths_that_are_shown) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    const auto counters = builder.counters({{.name = "cycles"}});
    builder.on(0).enter(0, "main").counters(0, counters, {0}).counters(200, counters, {200});
    builder.on(0).enter(200, "f").counters(500, counters, {1100}).leave(500);
    builder.on(0).counters(1000, counters, {1200}).leave(1000);
    builder.write(directory.path());
    const holos::algebra::Experiment part = onlyIn(directory.path(), "f");
    TimelineTrack track;
    track.resize(900, 400);
    track.show();
    track.openTrace(QString::fromStdString(directory.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    track.setSelected(trace::LocationId(0));
    track.showOnly({}, CallsInPart(part, track.definitions()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    const auto textAt = [&](double tick) {
        const int x = qRound(track.view()->xOf(static_cast<trace::Ticks>(tick)));
        return track.curves()->textAt({x, 5}).section(u'\n', 1);
    };
    EXPECT_EQ(textAt(350), u"cycles: 3 k\u2009/s"_qs);
    EXPECT_EQ(textAt(100), "cycles: –") << "in main";
    EXPECT_EQ(textAt(700), "cycles: –");
    EXPECT_FALSE(track.curves()->accessibleDescription().contains("of all call paths"));
}

/// Events are of MPI alone; which functions call it is known from its call stack.
TEST(TimesOfAPart, functions_that_only_calls_tell_of_count) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    const auto main10 = stack(builder, "main", 10);
    const auto solve20 = stack(builder, "solve", 20, main10);
    builder.on(0).callFrom(0, 10, "MPI_Barrier", main10).callFrom(20, 30, "MPI_Barrier", solve20);
    builder.on(0).callFrom(50, 60, "MPI_Barrier", solve20).callFrom(90, 100, "MPI_Barrier", main10);
    builder.write(directory.path());
    const holos::algebra::Experiment part = onlyIn(directory.path(), "solve");
    const auto anchor = trace::findAnchor(directory.path());
    const auto definitions = std::make_shared<const trace::Definitions>(trace::readDefinitions(anchor));
    for (const std::size_t most : {std::size_t{1000}, std::size_t{0}}) {
        const std::atomic<bool> stopped = false;
        const auto times = TimesInPart::read({.anchor = anchor,
                                              .definitions = definitions,
                                              .calls = CallsInPart(part, definitions),
                                              .mostPieces = most},
                                             stopped);
        ASSERT_EQ(times->isExact(), most > 0) << "else only sums of parts of the run are kept";
        const auto all = times->times({{0, 1}}, 0, 100, 10);
        const auto of = [&](std::size_t bin, Activity activity) {
            return all[bin][static_cast<std::size_t>(activity)];
        };
        EXPECT_EQ(of(0, Activity::Mpi), 0) << "main calls it";
        EXPECT_EQ(of(2, Activity::Mpi), 10);
        EXPECT_EQ(of(3, Activity::User), 10) << "between two calls of solve";
        EXPECT_EQ(of(5, Activity::Mpi), 10);
        EXPECT_EQ(of(7, Activity::User), 0);
        if (times->isExact()) {
            EXPECT_EQ(times->overlap(trace::LocationId(0), 25, 55), 30);
        }
    }
}

/// Another thread enters both parallel regions before the first one does.
TEST(TimesOfAPart, what_other_threads_do_is_in_the_call_that_the_first_one_was_in) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1, 2);
    const auto main10 = stack(builder, "main", 10);
    const auto solve20 = stack(builder, "solve", 20, main10), other30 = stack(builder, "other", 30, main10);
    builder.on(0).callFrom(0, 1, "MPI_Init", main10);
    for (const auto& [begin, from] : {std::pair(Tick{10}, solve20), std::pair(Tick{30}, other30)}) {
        builder.on(0).fork(begin, 2).teamBegin(begin).enterFrom(begin + 2, kParallel, from).leave(begin + 8);
        builder.on(0).teamEnd(begin + 8).join(begin + 9);
        builder.on(0, 1).teamBegin(begin).enter(begin + 1, kParallel).leave(begin + 8).teamEnd(begin + 8);
    }
    builder.on(0).callFrom(50, 51, "MPI_Finalize", main10);
    builder.write(directory.path());
    const holos::algebra::Experiment part = onlyIn(directory.path(), "solve");
    const auto anchor = trace::findAnchor(directory.path());
    const auto definitions = std::make_shared<const trace::Definitions>(trace::readDefinitions(anchor));
    const std::atomic<bool> stopped = false;
    const auto times = TimesInPart::read(
        {.anchor = anchor, .definitions = definitions, .calls = CallsInPart(part, definitions)}, stopped);
    EXPECT_EQ(times->overlap(trace::LocationId(1), 0, 20), 7);
    EXPECT_EQ(times->overlap(trace::LocationId(1), 20, 51), 0) << "in the other function";
    // Calls that are drawn do not know when the first thread was where.
    const auto region = std::ranges::find(definitions->regions, kParallel, &trace::Region::name);
    ASSERT_NE(region, definitions->regions.end());
    const std::vector<trace::Span> spans{
        {11, 18, trace::RegionId(static_cast<std::size_t>(region - definitions->regions.begin())), 0}};
    const CallsInPart calls(part, definitions);
    EXPECT_FALSE(calls.isFirstThread(trace::LocationId(1)));
    EXPECT_EQ(calls.of(spans, false), std::vector{true});
}

TEST(TimelineCurvesOfAThread, of_many_counters_can_all_be_reached) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    std::vector<Counter> all;
    std::vector<std::uint64_t> values;
    for (std::uint64_t at = 1; at <= 7; ++at) {
        all.push_back({"sensor " + std::to_string(at), "W", OTF2_METRIC_ABSOLUTE_POINT});
        values.push_back(at);
    }
    const auto counters = builder.counters(all);
    builder.on(0).enter(0, "main").counters(0, counters, values).leave(1000);
    builder.write(directory.path());
    TimelineTrack track;
    track.resize(900, 500);
    track.show();
    track.openTrace(QString::fromStdString(directory.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    track.setSelected(trace::LocationId(0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !track.isBusy(); }, kPatience));
    TimelineCurves& curves = *track.curves();
    ASSERT_EQ(curves.count(), 7);
    const int height = curves.sizeHint().height();
    const QPoint lowest(curves.width() / 2, height - 5);
    EXPECT_TRUE(curves.textAt({curves.width() / 2, 5}).contains("sensor 1: 1 W"));
    EXPECT_TRUE(curves.textAt(lowest).contains("sensor 5: 5 W")) << curves.textAt(lowest).toStdString();
    auto* bar = curves.findChild<QScrollBar*>();
    ASSERT_TRUE(bar->isVisible());
    bar->setValue(bar->maximum());
    EXPECT_TRUE(curves.textAt(lowest).contains("sensor 7: 7 W")) << curves.textAt(lowest).toStdString();
    const QString told = QAccessible::queryAccessibleInterface(&curves)->text(QAccessible::Description);
    EXPECT_TRUE(told.contains("sensor 1 up to 1 W")) << told.toStdString();
    EXPECT_TRUE(told.contains("sensor 7 up to 7 W"));
}

TEST(TimelineCourseOfALongTrace, isMadeOnceItIsWanted) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    builder.on(0).enter(0, "main").leave(50);
    builder.write(directory.path());
    const auto anchor = trace::findAnchor(directory.path());
    auto definitions = std::make_shared<trace::Definitions>(trace::readDefinitions(anchor));
    definitions->locations.front().events = 1'000'000'000;  // as it says
    const std::filesystem::path file = holos::analyzer::timeline::courseFile(anchor);
    TimelineCourse course(QString::fromStdString(directory.path().string()), definitions);
    course.start(false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !course.isBusy(); }, kPatience));
    EXPECT_FALSE(std::filesystem::exists(file));
    course.start(false);
    course.start(true);  // while it is looked for
    ASSERT_TRUE(QTest::qWaitFor([&] { return !course.isBusy(); }, kPatience));
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(TimelineCourseThatNobodyWantsAnyMore, isNotWaitedFor) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    builder.on(0).enter(0, "main").leave(50);
    builder.write(directory.path());
    const auto anchor = trace::findAnchor(directory.path());
    const std::filesystem::path file = holos::analyzer::timeline::courseFile(anchor);
    WorkBefore before;
    std::make_unique<TimelineCourse>(
        QString::fromStdString(directory.path().string()),
        std::make_shared<const trace::Definitions>(trace::readDefinitions(anchor)))
        ->start(true);
    EXPECT_FALSE(lastInLine().waitForDone(0));
    EXPECT_TRUE(before.letGo());
    EXPECT_FALSE(std::filesystem::exists(file)) << "nothing is made";
}

TEST(LastInLine, isAThreadWithThoseThatItStarts) {
    const auto niceness = [] { return getpriority(PRIO_PROCESS, 0); };
    const int before = niceness();
    int within = before;
    std::thread([&] {
        becomeLastInLine();
        std::thread([&] { within = niceness(); }).join();
    }).join();
    EXPECT_EQ(within, std::max(before, 10));
    EXPECT_EQ(niceness(), before);
}

TEST_F(TimelineInTime, waitsOfTheTrace_areFramedWithWhoIsWaitedFor) {
    open();
    view().showAll();
    settle();
    const auto& marks = view().picture()->marks;
    ASSERT_TRUE(marks.course);
    EXPECT_EQ(marks.waits.size(), 2U);  // also that which is not the longest one
    const QString text = textAt(1, 41);
    EXPECT_TRUE(text.contains(u"Late Sender"_qs)) << text.toStdString();
    EXPECT_TRUE(text.contains(u"waits for MPI Rank 0 / Master thread"_qs)) << text.toStdString();
    pane().toggleMarks(&TimelineMarks::waits);
    settle();
    EXPECT_TRUE(view().picture()->marks.waits.empty());
}

TEST_F(TimelineInTime, callsBelowManyOperations_areSeenThroughThem) {
    TraceBuilder trace(2);
    constexpr std::uint64_t kBarriers = 300, kEach = 10;
    for (const int rank : {0, 1}) {
        auto& script = trace.on(rank).enter(0, "main");
        for (std::uint64_t at = 0; at < kBarriers; ++at) script.barrier(at * kEach + 1, at * kEach + 2);
        script.leave(kBarriers * kEach);
    }
    openOther(trace);
    // How much of a line is coloured as operations are.
    const auto covered = [this] {
        settle();
        const QImage image = view().grab().toImage();
        const QRect line = view().lineRect(0);
        int same = 0;
        for (int x = line.left(); x <= line.right(); ++x) {
            const QColor seen = image.pixelColor(x, line.center().y());
            const QColor edge = operationColor(false);
            same += std::abs(seen.lightness() - edge.lightness()) < 20 ? 1 : 0;
        }
        return same / static_cast<double>(line.width());
    };
    EXPECT_LT(covered(), 0.05);
    view().changeWindow(0, 20 * kEach);
    EXPECT_GT(covered(), 0.01) << "few of them are drawn in full colour";
}

TEST_F(TimelineInTime, callsBelowManyMessages_areSeenThroughThem) {
    TraceBuilder trace(8);
    constexpr std::uint64_t kRounds = 300, kEach = 40;
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        auto& script = trace.on(static_cast<int>(rank)).enter(0, "main");
        for (std::uint64_t round = 0; round < kRounds; ++round) {
            const std::uint64_t begin = round * kEach;
            if (rank > 0) script.recv(begin + 2 * rank, begin + 2 * rank + 1, {.peer = rank - 1});
            if (rank < 7) script.send(begin + 2 * rank + 2, begin + 2 * rank + 3, {.peer = rank + 1});
        }
        script.leave(kRounds * kEach);
    }
    openOther(trace);
    for (const auto mark : {&TimelineMarks::waits, &TimelineMarks::operations}) pane().toggleMarks(mark);
    // How much darker the line in the middle is than without messages.
    const auto lightness = [this] {
        settle();
        const QImage image = view().viewport()->grab().toImage();
        const QRect line = view().lineRect(3);
        double sum = 0;
        for (int x = line.left(); x <= line.right(); ++x)
            sum += image.pixelColor(x, line.center().y()).lightness();
        return sum / line.width();
    };
    const double with = lightness();
    pane().toggleMarks(&TimelineMarks::messages);
    const double without = lightness();
    EXPECT_LT(with, without) << "messages are seen";
    EXPECT_GT(with, 0.7 * without) << "so is what is below them";
}

TEST_F(TimelineInTime, criticalPath_isDrawnOnRequestWhereItGoes) {
    open();
    view().showAll();
    settle();
    EXPECT_TRUE(view().picture()->marks.path.empty());
    EXPECT_FALSE(pane().legend()->text().contains(u"critical path"_qs));
    pane().toggleMarks(&TimelineMarks::path);
    settle();
    EXPECT_TRUE(pane().legend()->text().contains(u"critical path"_qs));
    EXPECT_FALSE(view().picture()->marks.path.empty());
    EXPECT_TRUE(textAt(0, 10).contains(u"on the critical path"_qs));
    EXPECT_FALSE(textAt(1, 22).contains(u"on the critical path"_qs));
    EXPECT_TRUE(pane().state().marks.path);
}

TEST_F(TimelineInTime, heatMapOfAWaitState_isHotWhereItWaits) {
    open();
    view().showAll();
    settle();
    const auto* box = pane().findChild<QComboBox*>(u"Timeline colours"_qs);
    ASSERT_NE(box, nullptr);
    EXPECT_GE(box->findText(u"Heat map: Late Sender"_qs), 0);
    pane().setColors(TimelineColors::Metric, "mpi_latesender");
    settle();
    const auto& rows = view().picture()->rows;
    ASSERT_EQ(rows.size(), 2U);
    const auto at = [&](std::size_t row, double tick) {
        return rows[row]
            .shares[static_cast<std::size_t>(tick / 50 * static_cast<double>(rows[row].shares.size()))];
    };
    EXPECT_FLOAT_EQ(at(1, 22.5), 1.0F);
    EXPECT_FLOAT_EQ(at(1, 30.5), 0.0F);
    EXPECT_FLOAT_EQ(at(0, 22.5), 0.0F);
    EXPECT_EQ(pane().state().metric, "mpi_latesender");
}

TEST_F(TimelineInTime, heatMapOfDelays_isHotWhereOthersAreMadeToWait) {
    open();
    view().showAll();
    settle();
    const auto* box = pane().findChild<QComboBox*>(u"Timeline colours"_qs);
    ASSERT_NE(box, nullptr);
    EXPECT_GE(box->findText(u"Heat map: Delay costs"_qs), 0);
    pane().setColors(TimelineColors::Metric, "delay");
    settle();
    const TimelinePicture& picture = *view().picture();
    EXPECT_TRUE(picture.isRelative);
    EXPECT_DOUBLE_EQ(picture.largest, 1.0);
    const auto mean = [&](std::size_t row, double from, double to) {
        const std::vector<float>& shares = picture.rows[row].shares;
        const auto pixels = static_cast<double>(shares.size());
        const auto first = shares.begin() + static_cast<std::ptrdiff_t>(from / 50 * pixels);
        const auto end = shares.begin() + static_cast<std::ptrdiff_t>(to / 50 * pixels);
        return std::accumulate(first, end, 0.0) / static_cast<double>(end - first);
    };
    EXPECT_NEAR(mean(0, 0, 25), 0.2, 0.02) << "5 of 25 are paid by the other process";
    EXPECT_DOUBLE_EQ(mean(0, 44, 50), 0.0);
    EXPECT_DOUBLE_EQ(mean(1, 0, 25), 0.0);
    EXPECT_TRUE(textAt(0, 10).contains(u"s/s"_qs)) << textAt(0, 10).toStdString();
}

TEST_F(TimelineInTime, heatMapOfACounter_isAPartOfItsLargestValue) {
    TraceBuilder trace(2);
    const auto counter = trace.counters({{.name = "cycles"}});
    trace.on(0).enter(0, "main").counters(0, counter, {0}).counters(50, counter, {100}).leave(50);
    trace.on(1).enter(0, "main").counters(0, counter, {0}).counters(50, counter, {25}).leave(50);
    openOther(trace);
    pane().setColors(TimelineColors::Metric, "counter:cycles");
    settle();
    const auto& picture = *view().picture();
    ASSERT_EQ(picture.rows.size(), 2U);
    EXPECT_DOUBLE_EQ(picture.largest, 2000.0);  // in each second
    const std::size_t middle = picture.rows[0].shares.size() / 2;
    EXPECT_FLOAT_EQ(picture.rows[0].shares[middle], 1.0F);
    EXPECT_FLOAT_EQ(picture.rows[1].shares[middle], 0.25F);
    EXPECT_TRUE(textAt(1, 25).contains(u"500 /s"_qs)) << textAt(1, 25).toStdString();
}

TEST_F(TimelineInTime, marksThatAreWanted_areFoundInAnotherRunToo) {
    open();
    TemporaryDirectory other;
    TraceBuilder trace(2);
    trace.claimEvents(1'000'000'000);  // more than are analyzed unasked
    trace.on(0).enter(0, "main").send(25, 26, {.peer = 1}).leave(50);
    trace.on(1).enter(0, "main").recv(20, 27, {.peer = 0}).leave(50);
    trace.write(other.path());
    const QString archive = QString::fromStdString(other.path().string());
    pane().comparison()->compareWith(archive);
    settle();
    EXPECT_FALSE(pane().otherTrack()->course());
    pane().comparison()->compareWith({});
    pane().toggleMarks(&TimelineMarks::path);
    settle();
    pane().comparison()->compareWith(archive);
    settle();
    ASSERT_TRUE(pane().otherTrack()->course());
    EXPECT_FALSE(pane().otherTrack()->view()->picture()->marks.path.empty());
}
