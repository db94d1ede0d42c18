// SPDX-License-Identifier: BSD-3-Clause
// A number without its first or last digits is another number: where there is no room, it is written shorter.
#include <cmath>

#include "gui/models/call_model.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/parts/value_delegate.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

/// As a person reads it.
double readNumber(QString text) {
    text.remove(kThinSpace).replace(QChar(0x2212), u'-');
    bool good = false;
    const double value = text.toDouble(&good);
    EXPECT_TRUE(good) << text.toStdString();
    return value;
}

/// The sample, in which everything takes so many times as long.
ExperimentPtr longSample(double factor) {
    Experiment experiment = sampleExperiment();
    for (const MetricId metric : experiment.metrics.ids()) {
        if (!experiment.severities.has(metric)) continue;
        SeverityTable table = experiment.newTable();
        for (const CallPathId path : experiment.callTree.ids())
            for (std::size_t at = 0; at < experiment.system.locations.size(); ++at)
                table.add(path, LocationId(at), factor * static_cast<double>(path.index() + at + 1));
        experiment.severities.set(metric, std::move(table));
    }
    return std::make_shared<const Experiment>(std::move(experiment));
}

}  // namespace

TEST(ElidedNames, thatDifferInTheMiddle_canBeToldApart) {
    const QFontMetrics metrics((QFont()));
    const QString force = u"nbnxn_kernel_ElecEwTwinCut_VdwLJCombGeom_F_4xm"_qs;
    const QString energy = u"nbnxn_kernel_ElecEwTwinCut_VdwLJCombGeom_VF_4xm"_qs;
    const int width = metrics.horizontalAdvance(force) / 2;
    ASSERT_EQ(metrics.elidedText(force, Qt::ElideMiddle, width).left(5), force.left(5));
    const QString ofForce = elidedAmong({energy}, force, metrics, width);
    const QString ofEnergy = elidedAmong({force}, energy, metrics, width);
    EXPECT_NE(ofForce, ofEnergy);
    EXPECT_TRUE(ofForce.endsWith(u"_F_4xm"_qs)) << ofForce.toStdString();
    EXPECT_TRUE(ofEnergy.endsWith(u"_VF_4xm"_qs)) << ofEnergy.toStdString();
    for (const QString& text : {ofForce, ofEnergy}) EXPECT_LE(metrics.horizontalAdvance(text), width);
}

TEST(ElidedNames, thatDifferAtTheirEnds_loseTheMiddle) {
    const QFontMetrics metrics((QFont()));
    const QString text = u"LAMMPS_NS::PairLJCutCoulLong::compute_inner"_qs;
    const int width = metrics.horizontalAdvance(text) * 3 / 4;
    EXPECT_EQ(elidedAmong({u"MPI_Send"_qs, text}, text, metrics, width),
              metrics.elidedText(text, Qt::ElideMiddle, width));
    EXPECT_EQ(elidedAmong({}, text, metrics, 2000), text);
    EXPECT_NO_THROW(elidedAmong({text + u"x"_qs}, text, metrics, 0));
}

TEST(LongNames, areShownShortAndFullInTheToolTip) {
    Experiment experiment = sampleExperiment();
    const std::string full =
        "void work::Solver<work::Matrix<double>, work::Vector<double> >::solve<int>(int, "
        "work::Matrix<double> const&)";
    experiment.regions.front().name = full;
    ValueCache cache(std::make_shared<const Experiment>(std::move(experiment)));
    CallModel model(cache);
    const QModelIndex row = model.index(0, TreeModel::NameColumn);
    EXPECT_EQ(row.data(TreeModel::ShownNameRole).toString(), u"work::Solver<…>::solve<…>"_qs);
    EXPECT_EQ(row.data().toString().toStdString(), full);
    EXPECT_TRUE(
        row.data(Qt::ToolTipRole).toString().contains(QString::fromStdString(full).toHtmlEscaped() + "\n"));
}

TEST(LongNames, withWhereTheyAreCalled_areShownShort) {
    Experiment experiment = sampleExperiment();
    experiment.regions.front().name =
        "void work::Solver<work::Matrix<double>, work::Vector<double> >::solve<int>(int)";
    CallPath& call = experiment.callTree[CallPathId(0)];
    call.module = "src/solver.cpp";
    call.line = 12;
    ValueCache cache(std::make_shared<const Experiment>(std::move(experiment)));
    CallModel model(cache);
    EXPECT_EQ(model.index(0, TreeModel::NameColumn).data(TreeModel::ShownNameRole).toString(),
              u"work::Solver<…>::solve<…> @solver.cpp:12"_qs);
}

TEST(NumberWidths, notations_become_shorter_and_mean_the_same) {
    for (const double value : {6881240040.0, -6881240040.0, 123456.789, 9999.9, 1e12}) {
        const auto format = QuantityFormat::absolute("sec", 6881240040.0, false);
        const QStringList all = format.notations(value);
        EXPECT_EQ(all.front(), format.number(value));
        for (qsizetype at = 1; at < all.size(); ++at) EXPECT_LT(all[at].size(), all[at - 1].size());
        for (const QString& notation : all)
            EXPECT_NEAR(readNumber(notation), value, 0.5 * std::abs(value)) << notation.toStdString();
    }
    const auto seconds = QuantityFormat::absolute("sec", 6881240040.0, false);
    EXPECT_TRUE(seconds.notations(6881240040.0).contains("6.88e9"));
    EXPECT_TRUE(seconds.texts(6881240040.0).contains("6.88e9 s"));
    EXPECT_EQ(seconds.texts(0.0), QStringList("0"));
    EXPECT_EQ(QuantityFormat::percent().notations(NAN).size(), 1);
}

TEST(NumberWidths, decimals_go_before_digits_and_the_unit_of_a_count_before_both) {
    const auto milliseconds = QuantityFormat::absolute("sec", 0.46412, false);
    EXPECT_EQ(milliseconds.notations(0.46412), QStringList({"464.12", "464.1", "464"}));
    EXPECT_EQ(milliseconds.notations(0.00312), QStringList({"3.12", "3.1"}));
    const auto count = QuantityFormat::absolute("occ", 2164.0, true);
    EXPECT_EQ(count.texts(2164.0).mid(0, 2), QStringList({u"2\u2009164 occ"_qs, u"2\u2009164"_qs}));
}

TEST(NumberWidths, first_notation_with_room_is_taken_and_else_none) {
    const QFontMetrics metrics{QFont()};
    const QStringList all{"6 881 240 040", "6.8812e9", "6.88e9", "7e9"};
    for (int width = 0; width < 200; ++width) {
        const QString text = fitting(all, metrics, width);
        if (text == u"…") continue;
        EXPECT_TRUE(all.contains(text));
        EXPECT_LE(metrics.horizontalAdvance(text), width);
    }
    EXPECT_EQ(fitting(all, metrics, 2000), all.front());
    EXPECT_EQ(fitting({}, metrics, 10), "");
}

TEST(NumberWidths, text_that_is_too_long_ends_before_a_number_and_not_within_it) {
    const QFontMetrics metrics{QFont()};
    const QString text = u"100.00 % of 6\u2009881\u2009240 sec"_qs;
    for (int width = 0; width < metrics.horizontalAdvance(text); ++width) {
        const QString seen = beginningOf(text, metrics, width);
        EXPECT_TRUE(seen.endsWith(u'…'));
        const QString rest = text.mid(seen.size() - 1);
        EXPECT_FALSE(seen.size() > 1 && seen[seen.size() - 2].isDigit() && rest.front().isDigit())
            << seen.toStdString();
    }
    EXPECT_EQ(beginningOf(text, metrics, metrics.horizontalAdvance(text)), text);
}

TEST_F(Window, numbers_are_whole_in_panes_of_any_width) {
    for (const double factor : {1e-7, 1.0, 1234.5, 688124004.0, 6.5e14})
        for (const int width : {640, 800, 1000, 1300, 1900}) {
            window.show("long.cubex", longSample(factor));
            window.resize(width, 600);
            for (const ValueModeText& mode : valueModes()) {
                if (mode.value == ValueMode::External) continue;
                window.setMode(mode.value);
                QApplication::processEvents();
                for (const TreePane* pane :
                     {browser().metricPane(), browser().callPane(), browser().systemPane()}) {
                    const QTreeView& tree = *pane->tree();
                    const auto& delegate = dynamic_cast<const ValueDelegate&>(*tree.itemDelegate());
                    const int column = tree.columnWidth(TreeModel::ValueColumn);
                    for (const NodeId node : pane->model()->rows().visible()) {
                        const QModelIndex at = pane->model()->indexOf(node, TreeModel::ValueColumn);
                        const QString shown = delegate.numberIn(column, tree.fontMetrics(), at);
                        const QStringList all = at.data(TreeModel::NotationsRole).toStringList();
                        EXPECT_TRUE(all.isEmpty() || all.contains(shown))
                            << shown.toStdString() << " of " << all.join(u' ').toStdString();
                        EXPECT_LT(tree.fontMetrics().horizontalAdvance(shown), column);
                    }
                }
            }
        }
}
