// SPDX-License-Identifier: BSD-3-Clause
// Experiments whose values are too many to be read before they are shown.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <future>

#include "algebra/files/cubex.h"
#include "gui/experiments/loader.h"
#include "gui/models/counterpart.h"
#include "gui/views/detail_views.h"
#include "gui/views/distribution_view.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/topology/topology_view.h"
#include "gui/views/trees/butterfly_page.h"
#include "tests/gui/patience.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/hollow_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::gui::testing {
namespace {

using namespace algebra;
using holos::testing::HollowSums;

constexpr const char* kNoHoles = "no files with holes of this size here";

/// A file of 0.5 GiB a metric.
class LargeFile {
  public:
    /// Null where files have no holes.
    ExperimentPtr open(HollowSums sums, unsigned metrics) const {
        const bool isThere = writeHollowExperiment(
            {.metrics = metrics, .callPaths = 1000, .ranks = 65'536, .threads = 1}, path(), sums);
        return isThere ? std::make_shared<const Experiment>(readCubex(path())) : nullptr;
    }
    std::filesystem::path path() const { return folder_.path() / "large.cubex"; }
    void shorten() const { std::filesystem::resize_file(path(), std::uint64_t{20} << 20); }

  private:
    holos::testing::TemporaryDirectory folder_;
};

/// The call path that has about half of all others below it, among them the last one with its value.
const ChosenPaths kHalf{{CallPathId(512), Extent::Inclusive}};

bool waitFor(const ValueCache& cache) {
    return QTest::qWaitFor([&cache] { return !cache.isReading(); }, kPatience);
}

TEST(LargeValues, withSumsInTheFile_areKnownAtOnce) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::Stored, 100);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    ValueCache cache(experiment);
    for (const MetricId metric : experiment->metrics.ids())
        EXPECT_EQ(cache.metric({metric}), 2.0 * static_cast<double>(metric.index()) + 3.0);
    EXPECT_EQ(cache.callPaths({MetricId(1)}, Extent::Inclusive)->front(), 5.0);
    EXPECT_EQ(cache.locations({MetricId(1)}, kAll)->front(), 2.0);
    EXPECT_EQ(cache.total({MetricId(2)}, kAll, {LocationId(65'535)}), 4.0);
    EXPECT_FALSE(cache.isReading());
}

TEST(LargeValues, ofAPartOfTheCallTree_fillIn) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::Stored, 1);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    ValueCache cache(experiment);
    EXPECT_TRUE(std::isnan(cache.locations({MetricId(0)}, kHalf)->back()));
    EXPECT_TRUE(cache.isReading(MetricId(0)));
    ASSERT_TRUE(waitFor(cache));
    EXPECT_EQ(cache.locations({MetricId(0)}, kHalf)->back(), 2.0);
    EXPECT_FALSE(cache.isReading());
}

TEST(LargeValues, withoutSums_fillInOnceEach) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::None, 2);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    ValueCache cache(experiment);
    const QSignalSpy arrived(&cache, &ValueCache::arrived);
    for (int round = 0; round < 2; ++round) EXPECT_TRUE(std::isnan(cache.metric({MetricId(0)})));
    EXPECT_TRUE(std::isnan(cache.callPaths({MetricId(1)}, Extent::Inclusive)->front()));
    ASSERT_TRUE(waitFor(cache));
    EXPECT_EQ(cache.metric({MetricId(0)}), 3.0);
    EXPECT_EQ(cache.callPaths({MetricId(1)}, Extent::Inclusive)->front(), 5.0);
    EXPECT_FALSE(cache.isReading());
    EXPECT_EQ(arrived.size(), 2);
}

TEST(LargeValues, ofADamagedFile_areMissingAndTheReasonIsSaidOnce) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::None, 1);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    ValueCache cache(experiment);
    const QSignalSpy failed(&cache, &ValueCache::failed);
    file.shorten();
    EXPECT_TRUE(std::isnan(cache.metric({MetricId(0)})));
    EXPECT_TRUE(std::isnan(cache.locations({MetricId(0)}, kHalf)->back()));
    ASSERT_TRUE(waitFor(cache));
    EXPECT_TRUE(std::isnan(cache.metric({MetricId(0)})));
    ASSERT_EQ(failed.size(), 1);
    EXPECT_TRUE(failed.front().front().toString().contains(u"large.cubex: the file ends too early"));
}

TEST(LargeValues, shortenedWhileTheyAreShown_areMissingAndTheReasonIsSaid) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::None, 1);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    ValueCache cache(experiment);
    const QSignalSpy failed(&cache, &ValueCache::failed);
    cache.metric({MetricId(0)});
    ASSERT_TRUE(waitFor(cache));
    file.shorten();
    EXPECT_TRUE(std::isnan(cache.locations({MetricId(0)}, kHalf)->back()));
    ASSERT_TRUE(waitFor(cache));
    EXPECT_TRUE(std::isnan(cache.locations({MetricId(0)}, kHalf)->back()));
    EXPECT_EQ(cache.metric({MetricId(0)}), 3.0);
    EXPECT_FALSE(cache.isReading());
    EXPECT_EQ(failed.size(), 1);
}

TEST(LargeValues, nobodyWantsAnyMore_areGivenUp) {
    const LargeFile file;
    const ExperimentPtr experiment = file.open(HollowSums::None, 2);
    if (!experiment) GTEST_SKIP() << kNoHoles;
    {
        ValueCache cache(experiment);
        for (const MetricId metric : experiment->metrics.ids()) cache.metric({metric});
        EXPECT_TRUE(cache.isReading());
    }
    QCoreApplication::processEvents();
}

TEST(LargeValues, ofTheCounterpart_fillIn) {
    const LargeFile file, other;
    const ExperimentPtr here = file.open(HollowSums::Stored, 1);
    const ExperimentPtr there = other.open(HollowSums::None, 1);
    if (!here || !there) GTEST_SKIP() << kNoHoles;
    ValueCache cache(here);
    const QSignalSpy arrived(&cache, &ValueCache::arrived);
    cache.setCounterpart(std::make_unique<Counterpart>(*here, NamedExperiment{u"other"_qs, there}));
    EXPECT_TRUE(std::isnan(cache.counterpart()->total({MetricId(0)}, kAll, kAll)));
    EXPECT_TRUE(cache.isReading());
    ASSERT_TRUE(waitFor(cache));
    EXPECT_EQ(arrived.size(), 1);
    EXPECT_EQ(cache.counterpart()->total({MetricId(0)}, kAll, kAll), 3.0);
}

/// One row of another machine, which answers when it is let.
class SlowRows final : public Rows {
  public:
    SlowRows(std::size_t callPaths, std::size_t locations, std::shared_future<void> isLet)
        : Rows(callPaths, locations, 0.0), isLet_(std::move(isLet)) {}
    bool hasRow(CallPathId path) const override { return path == CallPathId(0); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        isLet_.wait();
        std::ranges::fill(scratch, 1.0);
        return scratch.first(locations());
    }
    bool isFar() const override { return true; }

  private:
    std::shared_future<void> isLet_;
};

/// The sample, whose times come when they are let.
ExperimentPtr withSlowTimes(std::promise<void>& let) {
    Experiment experiment = sampleExperiment();
    auto rows = std::make_shared<const SlowRows>(
        experiment.callTree.size(), experiment.system.locations.size(), let.get_future().share());
    experiment.severities.setRows(*experiment.findMetric("time"), [rows = std::move(rows)] { return rows; });
    return std::make_shared<const Experiment>(std::move(experiment));
}

TEST(LargeValues, ofAnotherMachine_fillInAndNobodyWaits) {
    std::promise<void> let;
    const ExperimentPtr experiment = withSlowTimes(let);
    const std::size_t locations = experiment->system.locations.size();
    const auto time = experiment->findMetric("time");
    ValueCache cache(experiment);
    for (int round = 0; round < 2; ++round) {
        EXPECT_TRUE(std::isnan(cache.metric({*time, Extent::Exclusive})));
        EXPECT_TRUE(std::isnan(cache.callPaths({*time}, Extent::Inclusive)->front()));
        EXPECT_TRUE(std::isnan(cache.locations({*time}, {{CallPathId(0), Extent::Inclusive}})->front()));
    }
    EXPECT_TRUE(cache.isReading(*time));
    let.set_value();
    ASSERT_TRUE(waitFor(cache));
    EXPECT_EQ(cache.callPaths({*time}, Extent::Inclusive)->front(), static_cast<double>(locations));
    EXPECT_EQ(cache.locations({*time}, {{CallPathId(0), Extent::Inclusive}})->front(), 1.0);
}

/// What its labels say, such as below a tree.
QStringList textsOf(const QWidget& widget) {
    QStringList texts;
    for (const QWidget* child : widget.findChildren<const QWidget*>())
        if (const auto* label = dynamic_cast<const ElidedLabel*>(child);
            label != nullptr && label->isVisible())
            texts << label->text();
    return texts;
}

constexpr const char* kValueIsRead = "The value is still being read";
constexpr const char* kAreRead = "Values are still being read";

TEST_F(Window, valuesThatAreStillBeingRead_areSaidToBeInEveryView) {
    std::promise<void> let;
    window.show("slow.cubex", withSlowTimes(let));
    ASSERT_TRUE(browser().selectMetric(u"time"_qs));
    browser().setColumns({{Pane::Program, {TreeModel::InclusiveColumn, TreeModel::ShareColumn}}});
    SystemViews& system = *browser().systemViews();
    ProgramViews& programs = *browser().programs();
    system.setCurrentIndex(SystemViews::DistributionTab);
    programs.setCurrentIndex(ProgramViews::FlameTab);
    QApplication::processEvents();
    ASSERT_TRUE(browser().isReading());

    const auto statusSaysSo = [this] {
        return textsOf(*window.statusBar()).join(u' ').startsWith(QLatin1String(kAreRead));
    };
    EXPECT_TRUE(QTest::qWaitFor(statusSaysSo, kPatience));
    EXPECT_TRUE(textsOf(*browser().metricPane()).contains(QLatin1String(kValueIsRead)));
    EXPECT_EQ(programs.flame()->view()->accessibleDescription(), QLatin1String(kAreRead));
    EXPECT_EQ(system.distribution()->accessibleDescription(), QLatin1String(kAreRead));
    system.setCurrentIndex(SystemViews::TableView);
    QApplication::processEvents();
    EXPECT_EQ(system.table()->model()->index(0, LocationModel::ValueColumn).data(), QString(kPending));
    EXPECT_EQ(system.table()->model()->index(0, LocationModel::DeviationColumn).data(), QString(kPending));
    system.setCurrentIndex(SystemViews::TopologyTab);
    programs.setCurrentIndex(ProgramViews::CallersTab);
    QApplication::processEvents();
    EXPECT_TRUE(system.topology()->view()->isEmpty());
    EXPECT_TRUE(system.topology()->view()->accessibleDescription().endsWith(QLatin1String(kAreRead)));
    const TreeModel& callees = *programs.butterfly()->callees()->model();
    for (const int column : {TreeModel::ValueColumn, TreeModel::ExclusiveColumn})
        EXPECT_EQ(callees.index(0, column).data(), QString(kPending)) << column;

    let.set_value();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !browser().isReading(); }, kPatience));
    QApplication::processEvents();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !statusSaysSo(); }, kPatience));
    EXPECT_FALSE(system.topology()->view()->isEmpty());
    EXPECT_NE(callees.index(0, TreeModel::ValueColumn).data(), QString(kPending));
    EXPECT_GT(callees.index(0, TreeModel::ValueColumn).data(TreeModel::ValueRole).toDouble(), 0.0);
    programs.setCurrentIndex(ProgramViews::FlameTab);
    QApplication::processEvents();
    EXPECT_NE(programs.flame()->view()->accessibleDescription(), QLatin1String(kAreRead));
}

TEST_F(Window, flameGraphThatIsSeenWhileValuesAreRead_isThereAfterwards) {
    std::promise<void> let;
    window.show("slow.cubex", withSlowTimes(let));
    ASSERT_TRUE(browser().selectMetric(u"time"_qs));
    FlameView& flame = *browser().programs()->flame()->view();
    browser().programs()->setCurrentIndex(ProgramViews::FlameTab);
    QApplication::processEvents();
    EXPECT_TRUE(flame.boxRect(CallPathId(0)).isEmpty());
    let.set_value();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !flame.boxRect(CallPathId(0)).isEmpty(); }, kPatience));
}

TEST_F(Window, ofAnotherMachine_saysWhatIsNotThere) {
    window.show(u"me@login1:runs/today"_qs, std::make_shared<const Experiment>(sampleExperiment()));
    for (const QString& view : {u"timeline"_qs, u"events"_qs}) {
        browser().details()->open(view);
        QApplication::processEvents();
        EXPECT_TRUE(
            textsOf(*browser().details())
                .contains(u"The trace is on login1: holos serve me@login1:runs/today shows it in a web "
                          u"browser"_qs))
            << view.toStdString();
    }
}

class LargeValuesInTheWindow : public Window {
  protected:
    bool open(HollowSums sums, unsigned metrics) {
        if (!file_.open(sums, metrics)) return false;
        const QString name = QString::fromStdString(file_.path().string());
        window.show(name, loadExperiment(name));
        return true;
    }
    bool waitForValues() {
        return QTest::qWaitFor([this] { return !browser().isReading(); }, kPatience);
    }
    LargeFile file_;
};

TEST_F(LargeValuesInTheWindow, withSumsInTheFile_areThereWithIt) {
    if (!open(HollowSums::Stored, 100)) GTEST_SKIP() << kNoHoles;
    EXPECT_FALSE(browser().isReading());
    EXPECT_EQ(named(browser().metricPane(), "metric0").data(TreeModel::ValueRole), 3.0);
    EXPECT_EQ(named(browser().metricPane(), "metric99").data(TreeModel::ValueRole), 201.0);
    for (const MetricId metric : browser().experiment().metrics.ids())
        EXPECT_FALSE(browser().experiment().severities.isInMemory(metric));
}

TEST_F(LargeValuesInTheWindow, withoutSums_fillInPaneByPane) {
    if (!open(HollowSums::None, 1)) GTEST_SKIP() << kNoHoles;
    for (TreePane* pane : {browser().metricPane(), browser().callPane(), browser().systemPane()})
        pane->model()->index(0, 0).data(TreeModel::ValueRole);  // as a window does that is seen
    EXPECT_TRUE(browser().isReading());
    ASSERT_TRUE(waitForValues());
    EXPECT_EQ(named(browser().metricPane(), "metric0").data(TreeModel::ValueRole), 3.0);
    EXPECT_EQ(named(browser().callPane(), "function 0").data(TreeModel::ValueRole), 3.0);
    EXPECT_EQ(named(browser().systemPane(), "cluster").data(TreeModel::ValueRole), 3.0);
}

TEST_F(LargeValuesInTheWindow, ofASelectedCallPath_fillInForTheSystem) {
    if (!open(HollowSums::Stored, 1)) GTEST_SKIP() << kNoHoles;
    browser().revealCallPath(CallPathId(512));
    EXPECT_EQ(shown(browser().systemPane(), "cluster"), u"…");
    ASSERT_TRUE(waitForValues());
    EXPECT_EQ(named(browser().systemPane(), "cluster").data(TreeModel::ValueRole), 2.0);
}

}  // namespace
}  // namespace holos::gui::testing
