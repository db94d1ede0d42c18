// SPDX-License-Identifier: BSD-3-Clause
// What reopens a view, and what leaves the browser as a table.
#include "gui/models/view_state.h"

#include "base/error.h"
#include "gui/models/csv.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

TEST(ViewStateText, comes_back_as_it_was) {
    ViewState state;
    state.metric = "a,b=c%";
    state.calls = {"main/solve", "main/MPI_Recv;2"};
    state.system = "machine";
    state.openMetrics = {NodeId(0), NodeId(3)};
    state.openCalls = {NodeId(1)};
    state.openSystem = {NodeId(0), NodeId(1), NodeId(2)};
    state.mode = ValueMode::OfPeers;
    state.digits = 8;
    state.wholeNames = true;
    state.colors = "ocean";
    state.systemView = 3;
    state.program = ProgramView::Phases;
    state.detail = "communication";
    state.filter.range = PartOfTime{0.1, 1.0 / 3.0};
    state.timeline = PartOfTime{1e-9, 2.5};
    state.zoomed = "main/solve";
    state.look = "lines:nodes;stack:1.3;with:%2Ftmp%2Fother;shift:-0.5";
    state.columns = {{Pane::Program, {TreeModel::InclusiveColumn, TreeModel::VisitsColumn}},
                     {Pane::System, {TreeModel::ShareColumn}}};
    state.largestFirst = {Pane::Metrics, Pane::System};
    state.order = {Pane::System, Pane::Metrics, Pane::Program};
    EXPECT_EQ(viewStateFrom(toText(state)), state) << toText(state).toStdString();
    EXPECT_EQ(viewStateFrom({}), ViewState());
}

TEST(ViewStateText, of_older_versions_is_understood) {
    EXPECT_EQ(viewStateFrom("first=1").order, (PaneOrder{Pane::Metrics, Pane::System, Pane::Program}));
    EXPECT_EQ(viewStateFrom("first=0").order, kUsualOrder);
}

TEST(ViewStateText, says_first_which_part_of_the_run_it_is_of) {
    ViewState state;
    state.metric = "time";
    state.filter.range = PartOfTime{0.02, 0.024};
    EXPECT_EQ(toText(state), "range=0.02:0.024,metric=time,mode=absolute");
    EXPECT_EQ(filterText(state.filter), "0.02 s to 0.024 s");
    EXPECT_EQ(filterText(Filter()), QString());
    EXPECT_TRUE(without(state.filter, FilterPart::Range).isEmpty());
}

TEST(ViewStateText, that_is_not_understood_is_named) {
    for (const char* wrong :
         {"metric", "some=1", "mode=some", "view=4", "view=x", "program=2", "first=2", "order=metric.call",
          "order=call.call.system", "sorted=calls", "columns=some", "columns=call.some",
          "columns=share.visits", "digits=1", "digits=13", "calls=a", "calls=-1"})
        EXPECT_THROW(viewStateFrom(wrong), holos::Error) << wrong;
}

TEST(ViewStateText, with_a_time_that_is_none_is_refused) {
    for (const char* time : {"1", "2:1", "1:1", "-1:1", "1:2:3", "a:b", "0:inf", "nan:1", ""})
        for (const char* key : {"range=", "window="})
            EXPECT_THROW(viewStateFrom(QString::fromLatin1(key) + time), holos::Error) << key << time;
}

TEST_F(Models, rows_are_found_again_by_their_names) {
    for (const NodeId node : calls.rows().ids())
        EXPECT_EQ(calls.rows().withKey(calls.rows().keyOf(node)), node);
    EXPECT_EQ(calls.rows().keyOf(NodeId(3)), "main/solve/MPI_Recv");
    EXPECT_EQ(calls.rows().withKey("main/nothing"), std::nullopt);
}

TEST(RowNames, of_siblings_with_one_name_differ) {
    Experiment experiment = sampleExperiment();
    experiment.regions[1].name = "a/b, c";
    experiment.regions[2].name = "a/b, c";
    ValueCache cache(std::make_shared<const Experiment>(std::move(experiment)));
    CallModel calls(cache);
    EXPECT_EQ(calls.rows().keyOf(NodeId(1)), "main/a%2Fb%2C c");
    EXPECT_EQ(calls.rows().keyOf(NodeId(2)), "main/a%2Fb%2C c;2");
    EXPECT_EQ(calls.rows().withKey(calls.rows().keyOf(NodeId(2))), NodeId(2));
    EXPECT_EQ(calls.rows().withKey("main/a%2Fb%2C c;3"), std::nullopt);
}

TEST_F(Models, visible_rows_become_a_table) {
    expand(calls, "main");
    EXPECT_EQ(visibleRowsAsCsv(calls).toStdString(),
              "level,name,value,unit,shown\n"
              "0,main,2,sec,2.000 s\n"
              "1,init,4,sec,4.000 s\n"
              "1,solve,14,sec,14.000 s\n");
}

TEST(CsvText, that_a_spreadsheet_takes_for_a_formula_is_guarded) {
    EXPECT_EQ(csvText(u"=HYPERLINK(\"x\")"_qs).toStdString(), "\"'=HYPERLINK(\"\"x\"\")\"");
    EXPECT_EQ(csvText(u"main"_qs).toStdString(), "main");
    EXPECT_EQ(csvText(u"-1.5"_qs).toStdString(), "-1.5");
}
