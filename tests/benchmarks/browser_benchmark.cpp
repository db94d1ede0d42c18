// SPDX-License-Identifier: BSD-3-Clause
// How long a person waits for the browser with a large experiment: 65,536 locations × 10,000 call paths × 100
// metrics, mostly zero; and with the timeline of a large trace. Every step ends with a painted window. Needs
// no display.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTreeView>
#include <QWheelEvent>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "analyzer/timeline/build_levels.h"
#include "analyzer/timeline/course.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "gui/app/main_window.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/pictures.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/call_lengths_view.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "report/query/run.h"
#include "tests/support/hollow_experiment.h"
#include "tests/support/large_experiment.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

using namespace holos::gui;
using holos::gui::trace::Ticks;

namespace {

/// Written once, as a file of about half a gigabyte.
const QString& experimentFile() {
    static const holos::testing::TemporaryDirectory directory;
    static const QString file = [] {
        holos::testing::LargeExperimentShape shape;
        shape.metrics = 100;
        shape.callPaths = 10000;
        shape.ranks = 65536;
        shape.threads = 1;
        shape.density = 0.001;
        const std::filesystem::path path = directory.path() / "large.cubex";
        holos::algebra::writeCubex(holos::testing::largeExperiment(shape), path.string());
        return QString::fromStdString(path.string());
    }();
    return file;
}

void open(MainWindow& window) {
    window.resize(1280, 800);
    window.show(experimentFile(), loadExperiment(experimentFile()));
    window.show();
    drawWindow(window);
}

/// One window for all steps, as a person has; it goes before the application.
std::unique_ptr<MainWindow> steps;

std::unique_ptr<MainWindow> timeline;

MainWindow& opened() {
    if (!steps) {
        steps = std::make_unique<MainWindow>();
        open(*steps);
    }
    return *steps;
}

void firstPicture(benchmark::State& state) {
    experimentFile();
    for (auto _ : state) {
        MainWindow window;
        open(window);
        state.PauseTiming();  // closing waits for what is read in advance
        window.experiments().close(0);
        state.ResumeTiming();
    }
}

/// 52 GB without sums, as other programs write them; empty where files have no holes.
const QString& fileWithoutSums() {
    static const holos::testing::TemporaryDirectory directory;
    static const QString file = [] {
        const std::filesystem::path path = directory.path() / "without_sums.cubex";
        const bool isThere = holos::testing::writeHollowExperiment(
            {.metrics = 100, .callPaths = 1000, .ranks = 65536, .threads = 1}, path,
            holos::testing::HollowSums::None);
        return isThere ? QString::fromStdString(path.string()) : QString();
    }();
    return file;
}

/// The most memory that this process has had so far.
double peakMegabytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) / 1024.0;
}

void openWithoutSums(MainWindow& window) {
    window.resize(1280, 800);
    window.show(fileWithoutSums(), loadExperiment(fileWithoutSums()));
    window.show();
    drawWindow(window);
}

/// All trees, while their values are still being read.
void firstPictureWithoutSums(benchmark::State& state) {
    if (fileWithoutSums().isEmpty()) return state.SkipWithError("no files with holes of this size here");
    for (auto _ : state) {
        MainWindow window;
        openWithoutSums(window);
        state.PauseTiming();
        if (!window.browser()->isReading()) state.SkipWithError("all values were there");
        window.experiments().close(0);
        state.ResumeTiming();
    }
    state.counters["peak MB"] = peakMegabytes();
}

/// A click on another metric, which nobody has asked for, while the values of others are being read.
void selectMetricWhileValuesAreRead(benchmark::State& state) {
    if (fileWithoutSums().isEmpty()) return state.SkipWithError("no files with holes of this size here");
    MainWindow window;
    openWithoutSums(window);
    TreePane& pane = *window.browser()->metricPane();
    std::size_t at = 0;
    for (auto _ : state) {
        at = (at + 7) % pane.model()->rows().size();
        pane.reveal(pane.model()->indexOf(NodeId(at)));
        benchmark::DoNotOptimize(drawWindow(window));
    }
    if (!window.browser()->isReading()) state.SkipWithError("all values were there");
    state.counters["peak MB"] = peakMegabytes();
}

/// Another metric each time: every other one is asked for the first time.
void selectMetric(benchmark::State& state) {
    TreePane& pane = *opened().browser()->metricPane();
    pane.expandAll();
    drawWindow(opened());
    const std::size_t metrics = pane.model()->rows().size();
    std::size_t at = 0;
    for (auto _ : state) {
        at = (at + 7) % metrics;
        pane.reveal(pane.model()->indexOf(NodeId(at)));
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
}

void selectCallPath(benchmark::State& state) {
    TreePane& pane = *opened().browser()->callPane();
    std::size_t at = 0;
    for (auto _ : state) {
        at = (at + 37) % pane.model()->rows().size();
        pane.reveal(pane.model()->indexOf(NodeId(at)));
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
}

void expandAndCollapseCallPath(benchmark::State& state) {
    TreePane& pane = *opened().browser()->callPane();
    pane.reveal(pane.model()->indexOf(NodeId(0)));
    bool expanded = false;
    for (auto _ : state) {
        pane.tree()->setExpanded(pane.model()->indexOf(NodeId(0)), expanded = !expanded);
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
}

void selectLocation(benchmark::State& state) {
    TreePane& pane = *opened().browser()->systemPane();
    std::size_t at = 0;
    for (auto _ : state) {
        at = (at + 997) % pane.model()->rows().size();
        pane.reveal(pane.model()->indexOf(NodeId(at)));
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
}

/// Through all threads: units and the room for names follow the rows that come into sight.
void scrollLocations(benchmark::State& state) {
    TreePane& pane = *opened().browser()->systemPane();
    opened().browser()->setHideBelow(std::nullopt);
    pane.expandAll();
    drawWindow(opened());
    QScrollBar& bar = *pane.tree()->verticalScrollBar();
    for (auto _ : state) {
        bar.setValue((bar.value() + 997) % bar.maximum());
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
    opened().browser()->setHideBelow(0.0);
}

/// All metrics of a call path, when the metrics are the last pane.
void selectCallPathBeforeMetrics(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.setOrder({Pane::Program, Pane::System, Pane::Metrics});
    browser.metricPane()->expandAll();
    selectCallPath(state);
    browser.setOrder(kUsualOrder);
}

void systemView(benchmark::State& state) {
    SystemViews& views = *opened().browser()->systemViews();
    for (auto _ : state) {
        views.setCurrentIndex(static_cast<int>(state.range(0)));
        benchmark::DoNotOptimize(drawWindow(opened()));
        state.PauseTiming();
        views.setCurrentIndex(SystemViews::TreeView);
        drawWindow(opened());
        state.ResumeTiming();
    }
}

/// Another metric each time: other boxes, and other colours.
void selectMetricWithFlameGraph(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.programs()->setCurrentIndex(ProgramViews::FlameTab);
    selectMetric(state);
    browser.programs()->setCurrentIndex(ProgramViews::TreeTab);
}

/// Boxes of all sizes in the whole width.
void zoomFlameGraph(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.programs()->setCurrentIndex(ProgramViews::FlameTab);
    drawWindow(opened());
    const std::size_t paths = browser.experiment().callTree.size();
    std::size_t at = 0;
    for (auto _ : state) {
        browser.programs()->flame()->view()->zoom(holos::algebra::CallPathId(at = (at + 37) % paths));
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
    browser.programs()->flame()->view()->zoom(std::nullopt);
    browser.programs()->setCurrentIndex(ProgramViews::TreeTab);
}

/// Callers and callees of another region each time.
void centerRegion(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.programs()->setCurrentIndex(ProgramViews::CallersTab);
    selectCallPath(state);
    browser.programs()->setCurrentIndex(ProgramViews::TreeTab);
}

/// Letter by letter, and everything again.
void searchCallPaths(benchmark::State& state) {
    TreePane& pane = *opened().browser()->callPane();
    pane.collapseAll();
    drawWindow(opened());
    const QString word = u"function 7"_qs;
    qsizetype letters = 0;
    for (auto _ : state) {
        letters = (letters + 1) % (word.size() + 1);
        pane.searchBox()->setText(word.left(letters));
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
    pane.searchBox()->clear();
    drawWindow(opened());
}

/// What is sorted follows the metric.
void selectMetricWithSortedRows(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.setLargestFirst({Pane::Program, Pane::System});
    selectMetric(state);
    browser.setLargestFirst({});
}

/// With all threads in the right pane, of which those with nothing are hidden.
void selectCallPathWithAllLocations(benchmark::State& state) {
    TreePane& system = *opened().browser()->systemPane();
    system.expandAll();
    drawWindow(opened());
    selectCallPath(state);
    system.collapseAll();
    drawWindow(opened());
}

/// The summary stands below the panes, and a click on one of its links selects.
void openSummary(benchmark::State& state) {
    DetailViews& details = *opened().browser()->details();
    for (auto _ : state) {
        details.open(u"summary"_qs);
        benchmark::DoNotOptimize(drawWindow(opened()));
        state.PauseTiming();
        details.open({});
        drawWindow(opened());
        state.ResumeTiming();
    }
}

/// Everything that was expanded is expanded again.
void undoCollapseAll(benchmark::State& state) {
    Browser& browser = *opened().browser();
    browser.systemPane()->expandAll();
    drawWindow(opened());
    for (auto _ : state) {
        state.PauseTiming();
        browser.systemPane()->collapseAll();
        drawWindow(opened());
        state.ResumeTiming();
        browser.views().undo();
        benchmark::DoNotOptimize(drawWindow(opened()));
    }
}

/// The analysis of a trace of 4,096 processes; HOLOS_TIMELINE_CALLS is the number of calls in each of 20
/// rounds: 100 make 17 million events, 600 make 100 million.
const QString& traceFile() {
    static const holos::testing::TemporaryDirectory directory;
    static const QString file = [] {
        // Another experiment beside its trace.
        if (qEnvironmentVariableIsSet("HOLOS_TIMELINE_FILE"))
            return qEnvironmentVariable("HOLOS_TIMELINE_FILE");
        holos::testing::LargeTraceShape shape;
        shape.processes = 4096;
        shape.rounds = 20;
        const int calls = qEnvironmentVariableIntValue("HOLOS_TIMELINE_CALLS");
        shape.callsPerRound = calls > 0 ? static_cast<std::uint64_t>(calls) : 100;
        holos::testing::writeLargeTrace(directory.path(), shape);
        holos::analyzer::AnalysisOptions options;
        options.causes = false;
        holos::algebra::writeCubex(holos::analyzer::analyze(directory.path(), options).experiment,
                                   (directory.path() / "analysis.cubex").string());
        return QString::fromStdString((directory.path() / "analysis.cubex").string());
    }();
    return file;
}

std::filesystem::path anchorOfTrace() {
    return holos::analyzer::trace::findAnchor(std::filesystem::path(traceFile().toStdString()).parent_path());
}

constexpr TimelineMarks kAllMarks{.path = true, .operations = true, .waits = true};

/// What the marks are drawn from is made anew.
void forgetCourse() {
    std::filesystem::remove(holos::analyzer::timeline::courseFile(anchorOfTrace()));
}

const TimelineTrack& trackOf(MainWindow& window) {
    return *window.browser()->details()->timeline()->track();
}

/// Until what is in sight has been read. The trace may still be analyzed.
void settleTimeline(MainWindow& window) {
    QApplication::processEvents();
    while (!trackOf(window).view()->picture() || trackOf(window).isReading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    drawWindowNow(window);
}

std::unique_ptr<MainWindow> openTimeline() {
    auto window = std::make_unique<MainWindow>();
    window->resize(1280, 800);
    window->show(traceFile(), loadExperiment(traceFile()));
    window->show();
    window->browser()->details()->timeline()->setMarks(kAllMarks);
    window->browser()->details()->open(u"timeline"_qs);
    return window;
}

MainWindow& openedTimeline() {
    if (!timeline) {
        timeline = openTimeline();
        drawWindow(*timeline);  // with the marks, which an analysis finds
    }
    return *timeline;
}

/// Once for each trace.
void makeLevels(benchmark::State& state) {
    const auto anchor = anchorOfTrace();
    const auto definitions = holos::analyzer::trace::readDefinitions(anchor);
    const std::filesystem::path file = holos::analyzer::timeline::levelsFile(anchor);
    for (auto _ : state)
        holos::analyzer::timeline::buildLevels(anchor, definitions, file,
                                               {.threads = 1, .progress = {}, .stopped = nullptr});
    state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(file));
}

/// Whether or not they were measured.
void haveLevels() {
    const auto anchor = anchorOfTrace();
    const std::filesystem::path file = holos::analyzer::timeline::levelsFile(anchor);
    if (std::filesystem::exists(file)) return;
    holos::analyzer::timeline::buildLevels(anchor, holos::analyzer::trace::readDefinitions(anchor), file, {});
}

/// From the wish to the picture of all locations, with the definitions; the levels are there. Then the trace
/// is analyzed for the marks.
void firstTimeline(benchmark::State& state) {
    haveLevels();
    forgetCourse();
    MainWindow window;
    window.resize(1280, 800);
    window.show(traceFile(), loadExperiment(traceFile()));
    window.show();
    drawWindow(window);
    window.browser()->details()->timeline()->setMarks(kAllMarks);
    for (auto _ : state) {
        window.browser()->details()->open(u"timeline"_qs);
        settleTimeline(window);
    }
    if (!trackOf(window).isAnalyzing()) state.SkipWithError("the picture has waited for the analysis");
}

void zoom(benchmark::State& state, MainWindow& window) {
    TimelineView& view = *window.browser()->details()->timeline()->view();
    int click = 0;
    for (auto _ : state) {
        view.zoom(click++ % 16 < 8 ? 0.6 : 1.0 / 0.6, (view.from() + view.to()) / 2);
        settleTimeline(window);
    }
    view.showAll();
}

/// What a zoom costs in all threads, until the picture is complete.
void zoomTimeline(benchmark::State& state) {
    zoom(state, openedTimeline());
}

/// By the clock, while the trace is analyzed for the marks.
void zoomTimelineMeanwhile(benchmark::State& state) {
    forgetCourse();
    const std::unique_ptr<MainWindow> window = openTimeline();
    settleTimeline(*window);
    zoom(state, *window);
    if (!trackOf(*window).isAnalyzing()) state.SkipWithError("the analysis has ended before the zooms");
}

/// Scrolling, for lines that come into sight one screen after the other, where each process has its own.
void scrollTimeline(benchmark::State& state) {
    MainWindow& window = openedTimeline();
    TimelineView& view = *window.browser()->details()->timeline()->view();
    view.setFramed(TimelineWait{trace::LocationId(0), 0, 1000, std::nullopt});
    settleTimeline(window);
    QScrollBar& bar = *view.verticalScrollBar();
    for (auto _ : state) {
        bar.setValue((bar.value() + bar.pageStep()) % bar.maximum());
        settleTimeline(window);
    }
}

/// The trace of the timeline with its index of calls.
std::filesystem::path indexOfCalls() {
    const std::filesystem::path file = holos::query::callIndexFiles(anchorOfTrace()).front();
    holos::query::Run run(anchorOfTrace(), {.fewestIndexed = 0});
    run.callIndex(true);
    return file;
}

/// How long calls of the function that is called most take: from the wish to the histogram, from the index or
/// from the events.
void countLengths(benchmark::State& state, bool hasIndex) {
    const std::filesystem::path file = indexOfCalls();
    const auto kept = std::filesystem::path(file).replace_extension(".kept");
    if (!hasIndex) std::filesystem::rename(file, kept);
    auto definitions = std::make_shared<trace::Definitions>(trace::readDefinitions(anchorOfTrace()));
    const auto length = static_cast<Ticks>(definitions->clock.length);
    const auto region = std::ranges::find(definitions->regions, "function0", &trace::Region::name);
    const trace::RegionId id(static_cast<std::size_t>(region - definitions->regions.begin()));
    for (auto _ : state) {
        CallLengthsView view({anchorOfTrace(), definitions, id, {}, 0, length}, u"function0"_qs, u"all"_qs);
        view.setAttribute(Qt::WA_DeleteOnClose, false);
        view.show();
        while (view.isBusy()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        benchmark::DoNotOptimize(view.grab());
    }
    if (!hasIndex) std::filesystem::rename(kept, file);
}

/// The table of all calls, the longest first, with their number, sums and histogram; with the index, until
/// nothing is read any more.
void openCalls(benchmark::State& state) {
    indexOfCalls();
    MainWindow window;
    window.resize(1280, 800);
    window.show(traceFile(), loadExperiment(traceFile()));
    window.show();
    drawWindow(window);
    for (auto _ : state) {
        window.browser()->details()->open(u"events"_qs);
        while (window.browser()->details()->isBusy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        benchmark::DoNotOptimize(drawWindowNow(window));
    }
}

/// Until all panes show the values of another tenth of the run, which are made anew from the trace.
void showRange(benchmark::State& state) {
    haveLevels();
    const std::unique_ptr<MainWindow> window = openTimeline();
    settleTimeline(*window);
    const auto length = static_cast<Ticks>(trackOf(*window).definitions()->clock.length);
    Ticks tenth = 0;
    for (auto _ : state) {
        const Browser* before = window->browser();
        TimelinePane* pane = before->details()->timeline();
        tenth = tenth % 9 + 1;
        pane->view()->setRange(TimeRange{length / 10 * tenth, length / 10 * (tenth + 1)});
        Q_EMIT pane->onlyRangeWanted();
        while (window->browser() == before) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        benchmark::DoNotOptimize(drawWindowNow(*window));
        state.PauseTiming();
        settleTimeline(*window);
        state.ResumeTiming();
    }
}

/// Nearer, and farther again. What is read of the trace is read in another thread.
void wheelOverTimeline(benchmark::State& state) {
    MainWindow& window = openedTimeline();
    QWidget* view = window.browser()->details()->timeline()->view()->viewport();
    const QPointF middle = view->rect().center();
    int click = 0;
    for (auto _ : state) {
        const int turn = click++ % 8 < 4 ? 120 : -120;
        QWheelEvent event(middle, view->mapToGlobal(middle), {}, {0, turn}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view, &event);
        benchmark::DoNotOptimize(drawWindow(window));
    }
}

void dragOverTimeline(benchmark::State& state) {
    MainWindow& window = openedTimeline();
    QWidget* view = window.browser()->details()->timeline()->view()->viewport();
    const auto send = [view](QEvent::Type type, QPointF place, Qt::MouseButtons held) {
        QMouseEvent event(type, place, view->mapToGlobal(place), Qt::LeftButton, held, {});
        QApplication::sendEvent(view, &event);
    };
    QPointF place = view->rect().center();
    send(QEvent::MouseButtonPress, place, Qt::LeftButton);
    for (auto _ : state) {
        send(QEvent::MouseMove, place += QPointF(1, 0), Qt::LeftButton);
        benchmark::DoNotOptimize(drawWindow(window));
    }
    send(QEvent::MouseButtonRelease, view->rect().center(), {});
}

BENCHMARK(firstPicture)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);
BENCHMARK(firstPictureWithoutSums)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);
BENCHMARK(selectMetricWhileValuesAreRead)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(30);
BENCHMARK(selectMetric)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(selectMetricWithFlameGraph)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(zoomFlameGraph)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(centerRegion)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(searchCallPaths)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(33);
BENCHMARK(selectMetricWithSortedRows)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(selectCallPathWithAllLocations)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(30);
BENCHMARK(openSummary)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(undoCollapseAll)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(selectCallPath)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(expandAndCollapseCallPath)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(selectCallPathBeforeMetrics)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(selectLocation)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(scrollLocations)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);
BENCHMARK(systemView)
    ->ArgName("view")
    ->Arg(SystemViews::DistributionTab)
    ->Arg(SystemViews::TableView)
    ->Arg(SystemViews::TopologyTab)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(10);

BENCHMARK(makeLevels)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(1);
BENCHMARK(firstTimeline)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(1);
BENCHMARK(zoomTimelineMeanwhile)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(32);
BENCHMARK(zoomTimeline)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(32);
BENCHMARK(scrollTimeline)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(32);
BENCHMARK_CAPTURE(countLengths, fromIndex, true)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->Iterations(5);
BENCHMARK_CAPTURE(countLengths, fromEvents, false)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->Iterations(5);
BENCHMARK(openCalls)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(1);
BENCHMARK(showRange)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);
BENCHMARK(wheelOverTimeline)->Unit(benchmark::kMillisecond)->Iterations(16);
BENCHMARK(dragOverTimeline)->Unit(benchmark::kMillisecond)->Iterations(16);

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    steps.reset();
    timeline.reset();
}
