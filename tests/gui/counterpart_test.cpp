// SPDX-License-Identifier: BSD-3-Clause
// Differences to another experiment, row by row.
#include <QHeaderView>
#include <QTreeView>

#include "gui/app/main_window.h"
#include "gui/experiments/open_experiments.h"
#include "gui/models/counterpart.h"
#include "gui/models/path_set_model.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

constexpr CallPathId kInit(1), kSolve(2), kRecv(3);

/// The sample with other times: init 1 s and MPI_Recv 10 s in the first thread.
Experiment otherTimes() {
    Experiment experiment = sampleExperiment();
    SeverityTable times = experiment.newTable();
    times.add(kInit, LocationId(0), 1.0);
    times.add(kRecv, LocationId(0), 10.0);
    experiment.severities.set(*experiment.findMetric("time"), times);
    return experiment;
}

class Deltas : public Models {
  protected:
    void relateTo(Experiment other) {
        cache.setCounterpart(std::make_unique<Counterpart>(
            cache.experiment(), NamedExperiment{u"other"_qs, shared(std::move(other)), {}}));
    }
    static QString delta(const QAbstractItemModel& model, const QString& name) {
        return named(model, name).siblingAtColumn(TreeModel::DeltaColumn).data().toString();
    }
};

}  // namespace

TEST_F(Deltas, areOfEachRowWithEverythingBelowIt) {
    relateTo(otherTimes());
    EXPECT_EQ(delta(metrics, u"Time"_qs), u"+9.000 s"_qs);
    EXPECT_EQ(delta(metrics, u"MPI"_qs), u"0"_qs) << "which is the same there";
    EXPECT_EQ(delta(calls, u"main"_qs), u"+9.000 s"_qs);
    expand(calls, u"main"_qs);
    EXPECT_EQ(delta(calls, u"main"_qs), u"+9.000 s"_qs);
    EXPECT_EQ(delta(calls, u"init"_qs), u"+3.000 s"_qs);
    EXPECT_EQ(delta(calls, u"solve"_qs), u"+4.000 s"_qs);
    EXPECT_EQ(delta(calls, u"MPI_Recv"_qs), u"\u22126.000 s"_qs);
}

TEST_F(Deltas, ofThreads_areThoseOfTheSelectedCallPaths) {
    relateTo(otherTimes());
    const auto ofThread = [this](std::size_t thread) {
        return system.indexOfLocation(LocationId(thread))
            .siblingAtColumn(TreeModel::DeltaColumn)
            .data(TreeModel::ValueRole)
            .toDouble();
    };
    EXPECT_DOUBLE_EQ(ofThread(0), -4.0);
    EXPECT_DOUBLE_EQ(ofThread(1), 1.0);
    system.setContext({}, {{kSolve, Extent::Inclusive}});
    EXPECT_DOUBLE_EQ(ofThread(0), -6.0);
    EXPECT_DOUBLE_EQ(ofThread(2), 7.0);
    EXPECT_DOUBLE_EQ(system.index(0, TreeModel::DeltaColumn).data(TreeModel::ValueRole).toDouble(), 4.0);
}

TEST_F(Deltas, ofRegions_areOwnValues) {
    relateTo(otherTimes());
    RegionModel regions(cache, RegionGroups::None);
    regions.setContext({}, holos::kAll);
    EXPECT_EQ(delta(regions, u"main"_qs), u"+2.000 s"_qs);
    EXPECT_EQ(delta(regions, u"MPI_Recv"_qs), u"\u22126.000 s"_qs);
}

TEST_F(Deltas, ofSomeThreads_leaveOutTheOthersThereToo) {
    relateTo(otherTimes());
    metrics.setContext(holos::kAll, {LocationId(1)});
    EXPECT_EQ(delta(metrics, u"Time"_qs), u"+1.0000 s"_qs);
    calls.setContext({}, {LocationId(0)});
    EXPECT_EQ(delta(calls, u"main"_qs), u"\u22124.0000 s"_qs);
}

TEST_F(Deltas, callPathThatTheOtherLacks_isAllThatThereIs) {
    Experiment other = otherTimes();
    other.regions[1].name = "setup";  // init is not called
    relateTo(std::move(other));
    EXPECT_EQ(delta(calls, u"init"_qs), u"+4.000 s"_qs);
}

TEST_F(Deltas, toNothing_areEmpty) {
    EXPECT_EQ(delta(calls, u"main"_qs), QString());
    EXPECT_EQ(calls.headerData(TreeModel::DeltaColumn, Qt::Horizontal), u"Delta"_qs);
    relateTo(otherTimes());
    EXPECT_EQ(calls.headerData(TreeModel::DeltaColumn, Qt::Horizontal), u"Δ other"_qs);
    cache.setCounterpart(nullptr);
    EXPECT_EQ(delta(calls, u"main"_qs), QString());
}

TEST_F(Deltas, metricInAnotherUnit_isUndefined) {
    Experiment other = otherTimes();
    other.metrics[*other.findMetric("time")].unit = "occ";
    relateTo(std::move(other));
    EXPECT_EQ(delta(calls, u"main"_qs), u"–"_qs);
    EXPECT_EQ(delta(metrics, u"Time"_qs), u"–"_qs);
}

TEST(DeltaColumn, relates_to_the_experiment_that_was_active_before) {
    MainWindow window;
    for (const char* file : {"one.cubex", "two.cubex", "three.cubex"})
        window.show(QString::fromLatin1(file), shared(sampleExperiment()));
    window.show();
    const auto heading = [&window] {
        return window.browser()
            ->callPane()
            ->model()
            ->headerData(TreeModel::DeltaColumn, Qt::Horizontal)
            .toString();
    };
    EXPECT_EQ(heading(), u"Δ two.cubex"_qs);
    window.experiments().activate(0);
    EXPECT_EQ(heading(), u"Δ three.cubex"_qs);
    window.experiments().close(2);
    EXPECT_EQ(heading(), u"Δ two.cubex"_qs);
    window.browser()->toggleColumn(Pane::System, TreeModel::DeltaColumn);
    EXPECT_FALSE(window.browser()->systemPane()->tree()->isColumnHidden(TreeModel::DeltaColumn));
    window.experiments().close(1);
    EXPECT_EQ(heading(), u"Delta"_qs);
}
