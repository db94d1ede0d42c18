// SPDX-License-Identifier: BSD-3-Clause
// Where boxes of the flame graph stand, and what they say.
#include "gui/models/flame_model.h"

#include <random>

#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

constexpr CallPathId kMainPath(0);
constexpr CallPathId kInitPath(1);
constexpr CallPathId kSolvePath(2);
constexpr CallPathId kRecvPath(3);

CallTree treeOf(const std::vector<int>& parents) {
    CallTree tree;
    for (const int parent : parents)
        tree.add({}, parent < 0 ? std::nullopt : std::optional(CallPathId(static_cast<std::size_t>(parent))));
    return tree;
}

/// Own values: main 2, init 4, solve 10, and MPI_Recv 4 in solve.
class FlameGraphTest : public ::testing::Test {
  protected:
    CallTree tree = treeOf({-1, 0, 0, 2});
    FlameGraph graph{tree, {2.0, 4.0, 10.0, 4.0}};

    void expectBox(CallPathId path, double start, double width) {
        const auto box = graph.boxOf(path);
        ASSERT_TRUE(box.has_value());
        EXPECT_DOUBLE_EQ(box->start, start);
        EXPECT_DOUBLE_EQ(box->width, width);
    }
};

class FlameModelTest : public Models {
  protected:
    FlameModel model{calls, cache};
};

}  // namespace

TEST_F(FlameGraphTest, box_is_as_wide_as_what_is_in_it_and_below_its_caller) {
    EXPECT_EQ(graph.rows(), 3);
    EXPECT_DOUBLE_EQ(graph.whole(), 20.0);
    expectBox(kMainPath, 0.0, 1.0);
    expectBox(kInitPath, 0.0, 0.2);
    expectBox(kSolvePath, 0.2, 0.7);
    expectBox(kRecvPath, 0.2, 0.2);
    EXPECT_EQ(graph.rowOf(kRecvPath), 2);
}

TEST_F(FlameGraphTest, zoomed_call_path_and_its_callers_take_the_whole_width) {
    graph.zoom(kSolvePath);
    EXPECT_DOUBLE_EQ(graph.whole(), 14.0);
    expectBox(kMainPath, 0.0, 1.0);
    expectBox(kSolvePath, 0.0, 1.0);
    expectBox(kRecvPath, 0.0, 4.0 / 14.0);
    EXPECT_FALSE(graph.boxOf(kInitPath).has_value());
    graph.zoom(std::nullopt);
    expectBox(kInitPath, 0.0, 0.2);
}

TEST_F(FlameGraphTest, place_belongs_to_the_box_there_or_to_none) {
    EXPECT_EQ(graph.at(1, 0.0), kInitPath);
    EXPECT_EQ(graph.at(1, 0.19), kInitPath);
    EXPECT_EQ(graph.at(1, 0.21), kSolvePath);
    EXPECT_EQ(graph.at(1, 0.95), std::nullopt);  // main itself
    EXPECT_EQ(graph.at(2, 0.1), std::nullopt);
    EXPECT_EQ(graph.at(3, 0.3), std::nullopt);
    EXPECT_EQ(graph.at(-1, 0.3), std::nullopt);
}

TEST_F(FlameGraphTest, neighbours_are_in_the_row_and_below) {
    EXPECT_EQ(graph.beside(kInitPath, 1), kSolvePath);
    EXPECT_EQ(graph.beside(kSolvePath, -1), kInitPath);
    EXPECT_EQ(graph.beside(kSolvePath, 1), std::nullopt);
    EXPECT_EQ(graph.widestBelow(kMainPath), kSolvePath);
    EXPECT_EQ(graph.widestBelow(kRecvPath), std::nullopt);
}

TEST_F(FlameGraphTest, pixel_has_the_box_at_its_middle) {
    const auto pieces = graph.pieces(1, 10);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].left, 0);
    EXPECT_EQ(pieces[0].right, 2);
    EXPECT_EQ(pieces[1].left, 2);
    EXPECT_EQ(pieces[1].right, 9);
    ASSERT_EQ(graph.pieces(1, 2).size(), 1U);  // init has no middle of a pixel
    EXPECT_EQ(graph.pieces(1, 2)[0].path, kSolvePath);
}

TEST_F(FlameGraphTest, found_parts_are_counted_once) {
    EXPECT_DOUBLE_EQ(graph.sizeOfAll({kSolvePath, kRecvPath}), 14.0);
    EXPECT_DOUBLE_EQ(graph.sizeOfAll({kInitPath, kRecvPath}), 8.0);
    EXPECT_DOUBLE_EQ(graph.sizeOfAll({}), 0.0);
}

TEST(FlameGraph, negative_values_are_as_wide_as_positive_ones_and_undefined_ones_have_no_width) {
    const CallTree tree = treeOf({-1, 0, 0});
    const FlameGraph graph(tree, {1.0, -4.0, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_DOUBLE_EQ(graph.whole(), 5.0);
    EXPECT_DOUBLE_EQ(graph.boxOf(CallPathId(1))->width, 0.8);
    EXPECT_FALSE(graph.boxOf(CallPathId(2)).has_value());
}

TEST(FlameGraph, nothing_has_no_rows) {
    const CallTree tree = treeOf({-1, 0});
    FlameGraph graph(tree, {0.0, 0.0});
    EXPECT_EQ(graph.rows(), 0);
    graph.zoom(CallPathId(1));
    EXPECT_EQ(graph.rows(), 0);
    EXPECT_EQ(FlameGraph().rows(), 0);
}

TEST(FlameGraph, boxes_of_any_tree_are_in_those_of_their_callers_and_never_overlap) {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        std::vector<int> parents{-1};
        std::vector<double> own{1.0};
        for (int at = 1; at < 500; ++at) {
            parents.push_back(static_cast<int>(random() % static_cast<unsigned>(at + 1)) - 1);
            own.push_back(static_cast<double>(random() % 5));
        }
        const CallTree tree = treeOf(parents);
        const FlameGraph graph(tree, own);
        for (int row = 0; row < graph.rows(); ++row) {
            double end = 0.0;
            int pixel = 0;
            for (const FlameGraph::Box& box : graph.row(row)) {
                EXPECT_GE(box.start, end - 1e-9);
                end = box.start + box.width;
                if (const auto up = tree.parent(box.path)) {
                    EXPECT_GE(box.start, graph.boxOf(*up)->start - 1e-9);
                    EXPECT_LE(end, graph.boxOf(*up)->start + graph.boxOf(*up)->width + 1e-9);
                }
            }
            for (const FlameGraph::Piece& piece : graph.pieces(row, 50)) {
                EXPECT_GE(piece.left, pixel);
                pixel = piece.right;
            }
            EXPECT_LE(pixel, 50);
        }
    }
}

TEST_F(FlameModelTest, colours_are_shares_of_the_largest_own_value) {
    model.setContext(chosen("time"), holos::kAll);
    EXPECT_DOUBLE_EQ(model.share(kSolvePath, FlameColors::Own), 1.0);
    EXPECT_DOUBLE_EQ(model.share(kInitPath, FlameColors::Own), 0.4);
    EXPECT_DOUBLE_EQ(model.range(FlameColors::Own).to, 10.0);
    EXPECT_FALSE(model.range(FlameColors::Own).diverging);
}

TEST_F(FlameModelTest, part_of_the_system_has_its_own_graph) {
    model.setContext(chosen("time"), {LocationId(0)});
    EXPECT_DOUBLE_EQ(model.graph().whole(), 7.0);
    EXPECT_DOUBLE_EQ(model.graph().sizeOf(kSolvePath), 4.0);
}

TEST_F(FlameModelTest, what_cannot_be_added_up_has_no_graph_and_says_so) {
    model.setContext(chosen("mpi_share"), holos::kAll);
    EXPECT_EQ(model.graph().rows(), 0);
    EXPECT_TRUE(model.reason().contains("MPI share")) << model.reason().toStdString();
    model.setContext(chosen("time"), holos::kAll);
    EXPECT_EQ(model.reason(), QString());
}

TEST_F(FlameModelTest, zoom_stays_with_another_metric_as_far_as_it_has_the_call_path) {
    model.setContext(chosen("time"), holos::kAll);
    model.zoom(kSolvePath);
    model.setContext(chosen("mpi"), holos::kAll);
    EXPECT_EQ(model.graph().top(), kSolvePath);
    model.zoom(kRecvPath);
    model.setContext(chosen("STALLS"), holos::kAll);
    EXPECT_EQ(model.graph().top(), std::nullopt);
}

TEST_F(FlameModelTest, folders_are_those_of_the_code_the_largest_first) {
    Experiment experiment = sampleExperiment();
    experiment.regions[1].module = "/src/start/init.c";
    experiment.regions[2].module = "/src/solver/solve.c";
    experiment.regions[3].paradigm = "mpi";
    ValueCache other(std::make_shared<const Experiment>(std::move(experiment)));
    const CallModel paths(other);
    FlameModel of(paths, other);
    of.setContext(chosen("time"), holos::kAll);
    EXPECT_EQ(of.folders(), QStringList({"/src/solver", "/src/start", "MPI", "sample.c"}));
    EXPECT_EQ(of.folderOf(kSolvePath), 0);
    EXPECT_EQ(of.folderOf(kRecvPath), 2);
}

TEST_F(FlameModelTest, difference_is_that_of_the_same_call_path_with_what_it_calls) {
    Experiment experiment = sampleExperiment();
    auto times = experiment.newTable();
    times.add(kInitPath, LocationId(0), 1.0);
    times.add(kRecvPath, LocationId(0), 10.0);
    experiment.severities.set(*experiment.findMetric("time"), times);
    model.setContext(chosen("time"), holos::kAll);
    model.setOther({"other", std::make_shared<const Experiment>(std::move(experiment)), {}});
    // main 20 − 11, init 4 − 1, solve 14 − 10, MPI_Recv 4 − 10
    EXPECT_DOUBLE_EQ(model.share(kMainPath, FlameColors::Difference), 1.0);
    EXPECT_DOUBLE_EQ(model.share(kInitPath, FlameColors::Difference), 3.0 / 9.0);
    EXPECT_DOUBLE_EQ(model.share(kRecvPath, FlameColors::Difference), -6.0 / 9.0);
    EXPECT_TRUE(model.textOf(kRecvPath, FlameColors::Difference).contains("less than in other"));
    EXPECT_TRUE(model.range(FlameColors::Difference).diverging);
    model.setOther({});
    EXPECT_TRUE(std::isnan(model.share(kRecvPath, FlameColors::Difference)));
}

TEST_F(FlameModelTest, text_has_path_value_and_share) {
    model.setContext(chosen("time"), holos::kAll);
    const QStringList lines = model.textOf(kSolvePath, FlameColors::Own).split('\n');
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0], "main / solve");
    EXPECT_EQ(lines[1], QString("14.000 s, 70.00 % of what is shown"));
    EXPECT_EQ(lines[2], QString("own: 10.000 s"));
}

TEST_F(FlameModelTest, found_names_say_how_much_they_have) {
    model.setContext(chosen("time"), holos::kAll);
    EXPECT_EQ(model.foundText(), QString());
    calls.find("init|MPI");
    EXPECT_TRUE(model.isFound(kRecvPath));
    EXPECT_EQ(model.foundText(), QString("40.00 % found"));
}
