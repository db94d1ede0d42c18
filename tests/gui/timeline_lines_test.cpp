// SPDX-License-Identifier: BSD-3-Clause
// Which lines a timeline has, and what they show of several locations.
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/timeline/build_levels.h"
#include "analyzer/trace/definitions_reader.h"
#include "gui/models/timeline/timeline_content.h"
#include "gui/views/timeline/timeline_layout.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

using namespace holos::gui;
using namespace holos::testing;

namespace {

/// Processes on nodes, without events.
DefinitionsPtr machine(std::size_t nodes, std::size_t processes, std::size_t threads) {
    auto definitions = std::make_shared<trace::Definitions>();
    for (std::size_t node = 0; node < nodes; ++node)
        definitions->systemNodes.push_back({"node" + std::to_string(node), "node", {}, {}});
    for (std::size_t process = 0; process < processes; ++process) {
        trace::Process known;
        known.name = "Rank " + std::to_string(process);
        known.node = trace::SystemNodeId(process % nodes);
        for (std::size_t thread = 0; thread < threads; ++thread) {
            known.threads.emplace_back(definitions->locations.size());
            trace::Location location;
            location.name = "T" + std::to_string(thread);
            location.process = trace::ProcessId(process);
            definitions->locations.push_back(location);
        }
        definitions->processes.push_back(known);
    }
    return definitions;
}

QStringList namesOf(const TimelineLines& lines) {
    QStringList names;
    for (int line = 0; line < lines.count(); ++line) names << lines[line].name;
    return names;
}

}  // namespace

TEST(TimelineLines, several_locations_share_a_line) {
    const DefinitionsPtr run = machine(1, 5, 1);
    const TimelineLines lines(*run, 1);
    ASSERT_EQ(lines.count(), 3);
    EXPECT_EQ(lines[0].name, "Rank 0 … Rank 1");
    EXPECT_EQ(lines[2].count(), 1U);
    EXPECT_EQ(lines.lineOf(trace::LocationId(3)), 1);
    EXPECT_EQ(lines[2].only(), trace::LocationId(4));
    EXPECT_FALSE(lines[0].only().has_value());
}

TEST(TimelineLines, accelerators_of_the_same_name_are_told_apart) {
    trace::Definitions run = *machine(1, 4, 1);
    for (const std::size_t process : {1U, 3U}) {
        run.processes[process].name = "CUDA Context 1";
        run.processes[process].accelerator = true;
    }
    EXPECT_EQ(namesOf(TimelineLines(run, 0)), QStringList({"Rank 0 / T0", "CUDA Context 1 (1) / T0",
                                                           "Rank 2 / T0", "CUDA Context 1 (2) / T0"}));
    EXPECT_EQ(traceLocationNamed(run, "CUDA Context 1 (2) / T0"), trace::LocationId(3));
    run.processes[3].name = "CUDA Context 2";
    EXPECT_EQ(traceLocationName(run, trace::LocationId(1)), "CUDA Context 1 / T0");
}

TEST(TimelineLines, processes_have_their_threads_below_them_unless_folded) {
    const DefinitionsPtr run = machine(1, 2, 2);
    const TimelineLines lines(*run, TimelineGrouping::Processes, {1});
    EXPECT_EQ(namesOf(lines), (QStringList{"Rank 0", "T0", "T1", "Rank 1"}));
    EXPECT_EQ(lines.lineOf(trace::LocationId(1)), 2);
    EXPECT_EQ(lines.lineOf(trace::LocationId(3)), 3) << "in the line of what is folded";
    EXPECT_EQ(lines[3].locations, (std::vector<LocationRange>{{2, 4}}));
}

TEST(TimelineLines, nodes_have_processes_that_need_not_be_neighbours) {
    const DefinitionsPtr run = machine(2, 4, 1);
    const TimelineLines lines(*run, TimelineGrouping::Nodes, {0, 1});
    EXPECT_EQ(namesOf(lines), (QStringList{"node0", "node1"}));
    EXPECT_EQ(lines[1].locations, (std::vector<LocationRange>{{1, 2}, {3, 4}}));
}

TEST(TimelineLayout, all_locations_fit_into_the_view) {
    for (const std::size_t processes : {3U, 40U, 200U, 5000U, 65536U}) {
        TimelineLayout layout;
        layout.setTrace(machine(1, processes, 1));
        layout.setHeight(500);
        EXPECT_LE(layout.total(), 500 + std::ceil(layout.lineHeight())) << processes;
        EXPECT_EQ(layout.together() > 1, processes > 200) << processes;
        EXPECT_GE(layout.lineHeight(), 2.0) << processes;
        EXPECT_EQ(layout.lineAt(layout.top(layout.count() / 2) + 1), layout.count() / 2);
    }
}

TEST(TimelineLayout, zooming_gives_each_location_a_line_and_back) {
    TimelineLayout layout;
    layout.setTrace(machine(1, 4096, 1));
    layout.setHeight(500);
    const std::size_t together = layout.together();
    EXPECT_GT(together, 1U);
    layout.makeReadable();
    EXPECT_EQ(layout.together(), 1U);
    EXPECT_GT(layout.total(), 500);
    for (int i = 0; i < 60; ++i) layout.zoom(0.8);
    EXPECT_EQ(layout.together(), together);
    EXPECT_FALSE(layout.zoom(0.8));
}

TEST(TimelineLayout, groups_are_folded_where_their_members_do_not_fit) {
    TimelineLayout layout;
    layout.setTrace(machine(1, 16, 8));
    layout.setHeight(500);
    layout.setGrouping(TimelineGrouping::Processes);
    EXPECT_EQ(layout.count(), 16);
    layout.toggleFold(3);
    EXPECT_EQ(layout.count(), 24);
    layout.setHeight(5000);
    layout.setGrouping(TimelineGrouping::Processes);
    EXPECT_EQ(layout.count(), 16 + 16 * 8);
}

/// Rank 0 works; rank 1 waits in MPI_Recv for a third of the run, and rank 2 for a fifth.
class CoarseRows : public ::testing::Test {
  protected:
    CoarseRows() {
        TraceBuilder builder(3);
        builder.on(0).call(0, 60, "work");
        builder.on(1).enter(0, "work").enter(0, "MPI_Wait").leave(20).leave(60);
        builder.on(2).enter(0, "work").enter(30, "MPI_Wait").leave(42).leave(60);
        anchor = builder.write(directory.path());
        definitions = std::make_shared<const trace::Definitions>(trace::readDefinitions(anchor));
        holos::analyzer::timeline::buildLevels(anchor, *definitions, file());
        levels = std::make_shared<const holos::analyzer::timeline::Levels>(file(), anchor, *definitions);
    }
    std::filesystem::path file() const { return holos::analyzer::timeline::levelsFile(anchor); }
    QString nameIn(const TimelineRow& row, std::size_t bin) const {
        return QString::fromStdString((*definitions)[*row.excerpt.bins.at(bin).region].name);
    }

    TemporaryDirectory directory;
    std::filesystem::path anchor;
    DefinitionsPtr definitions;
    LevelsPtr levels;
    const trace::Window window{0, 60, 6, 0, 0};
};

TEST_F(CoarseRows, one_location_shows_what_took_most) {
    const TimelineLines lines(*definitions, 0);
    const TimelineRow row = coarseRow(*levels, lines[1], window, TimelineColors::Calls);
    ASSERT_EQ(row.excerpt.bins.size(), 6U);
    EXPECT_EQ(nameIn(row, 0), "MPI_Wait");
    EXPECT_EQ(nameIn(row, 3), "work");
}

TEST_F(CoarseRows, several_locations_show_what_lost_most) {
    const TimelineLines lines(*definitions, 2);
    const TimelineRow row = coarseRow(*levels, lines[0], window, TimelineColors::Calls);
    EXPECT_EQ(nameIn(row, 0), "MPI_Wait") << "a third of the time is lost";
    EXPECT_EQ(nameIn(row, 2), "work");
    EXPECT_EQ(nameIn(row, 3), "MPI_Wait");
}

TEST_F(CoarseRows, heat_map_has_the_share_of_each_moment) {
    const TimelineLines lines(*definitions, 2);
    const TimelineRow row = coarseRow(*levels, lines[0], window, TimelineColors::Lost);
    ASSERT_EQ(row.shares.size(), 6U);
    EXPECT_NEAR(static_cast<double>(row.shares[0]), 1.0 / 3.0, 1e-6);
    EXPECT_EQ(row.shares[2], 0.0F);
    const TimelineRow program = coarseRow(*levels, lines[0], window, TimelineColors::Program);
    EXPECT_NEAR(static_cast<double>(program.shares[0]), 2.0 / 3.0, 1e-6);
}

TEST_F(CoarseRows, messages_of_equal_ends_are_bundled_where_they_are_many) {
    holos::analyzer::timeline::KeptMessages kept;
    for (trace::Ticks at = 0; at < 5000; ++at)
        kept.messages.push_back({trace::LocationId(0), trace::LocationId(1), at, at + 10, 8});
    TimelineQuestion question;
    question.window = {0, 5000, 500, 0, 0};
    question.lines = std::make_shared<const TimelineLines>(*definitions, 0);
    question.endLine = 3;
    TimelinePicture picture;
    addMessages(kept, question, picture);
    EXPECT_EQ(picture.messageCount, 5000U);
    EXPECT_LT(picture.messages.size(), 300U);
    std::uint64_t count = 0, bytes = 0;
    for (const MessageBundle& bundle : picture.messages) {
        count += bundle.count;
        bytes += bundle.bytes;
    }
    EXPECT_EQ(count, 5000U);
    EXPECT_EQ(bytes, 40000U);
}

TEST(TimelineLines, pinned_locations_stand_above_all_others_and_nowhere_else) {
    const DefinitionsPtr run = machine(1, 3, 2);
    const TimelineLines flat(*run, 0, {}, {{4, 2}}, {4, 1});
    EXPECT_EQ(namesOf(flat), QStringList({"Rank 2 / T0", "", "", "Rank 0 / T1", "Rank 0 / T0", "Rank 1 / T0",
                                          "Rank 1 / T1", "Rank 2 / T1"}));
    EXPECT_EQ(flat.lineOf(trace::LocationId(4)), 0);
    EXPECT_TRUE(flat[0].isOpen);
    const TimelineLines together(*run, 1, {}, {}, {4});
    EXPECT_EQ(together[0].only(), trace::LocationId(4));
    EXPECT_EQ(together.count(), 4);
    const TimelineLines groups(*run, TimelineGrouping::Processes, {2}, {}, {}, {4});
    EXPECT_EQ(namesOf(groups),
              QStringList({"Rank 2 / T0", "Rank 0", "T0", "T1", "Rank 1", "T0", "T1", "Rank 2"}));
    EXPECT_EQ(groups.lineOf(trace::LocationId(4)), 0);
    EXPECT_EQ(groups[7].count(), 2U);
    EXPECT_EQ(groups.lineOf(trace::LocationId(5)), 7);
}

TEST(TimelineLayout, pinned_lines_can_be_read_and_leave_half_of_the_view_to_the_others) {
    TimelineLayout layout;
    layout.setTrace(machine(1, 1000, 1));
    layout.setHeight(300);
    EXPECT_EQ(layout.frozen(), 0);
    layout.setPinned({700, 3});
    EXPECT_EQ(layout.frozen(), 2);
    EXPECT_EQ(layout.lines()->lineOf(trace::LocationId(700)), 0);
    EXPECT_TRUE(layout.showsCalls(1));
    EXPECT_FALSE(layout.showsCalls(2));
    EXPECT_GE(layout.frozenHeight(), 36);
    EXPECT_EQ(layout.lineAt(layout.frozenHeight() - 1), 1);
    EXPECT_EQ(layout.lineAt(layout.frozenHeight()), 2);
    const auto before = layout.lines();
    layout.setHeight(301);
    layout.setHeight(300);
    EXPECT_EQ(layout.lines(), before);
    PinnedLocations many;
    for (std::size_t at = 0; at < 100; ++at) many.push_back(at);
    layout.setPinned(many);
    EXPECT_LE(layout.frozenHeight(), 150);
    EXPECT_GT(layout.frozen(), 2);
    EXPECT_EQ(layout.lines()->lineOf(trace::LocationId(99)), 99);
    layout.setPinned({});
    EXPECT_EQ(layout.frozen(), 0);
}
