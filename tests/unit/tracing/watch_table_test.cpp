// SPDX-License-Identifier: BSD-3-Clause
// A picture as rows, and their values over time.
#include "tracing/recordings/watch/picture.h"

#include <gmock/gmock.h>

namespace holos::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

SeenProcess process(std::uint32_t rank, const std::string& host, double mpi, double seconds) {
    SeenProcess one;
    one.rank = rank;
    one.host = host;
    one.program = "/bin/app";
    one.interval = {1 - mpi, mpi, 0, 0, 0};
    one.total = one.interval;
    one.eventRate = 10.0 * (rank + 1);
    SeenThread thread;
    thread.name = "Master thread";
    thread.since = {seconds, false};
    thread.interval = one.interval;
    one.threads = {thread};
    return one;
}

Picture picture() {
    Picture picture;
    picture.processes = {process(0, "node1", 0.25, 1), process(1, "node1", 0.75, 9),
                         process(2, "node2", 0.5, 4)};
    picture.processes[1].threads.push_back(picture.processes[1].threads[0]);
    picture.processes[1].threads[1].name = "Thread 1";
    return picture;
}

Names namesOf(const std::vector<Row>& rows) {
    Names names;
    for (const Row& row : rows) names.push_back(row.name);
    return names;
}

TEST(WatchTable, processes_haveTheirShares) {
    const auto rows = rowsOf(picture(), Level::Processes);
    EXPECT_THAT(namesOf(rows), ElementsAre("rank 0", "rank 1", "rank 2"));
    EXPECT_DOUBLE_EQ(rows[1].values[1], 75);
    EXPECT_DOUBLE_EQ(rows[1].values[kMetricLost], 75);
    EXPECT_DOUBLE_EQ(rows[1].values[kMetricStay], 9);
}

TEST(WatchTable, threads_areRowsOfTheirOwn) {
    EXPECT_THAT(namesOf(rowsOf(picture(), Level::Threads)),
                ElementsAre("rank 0", "rank 1", "rank 1 Thread 1", "rank 2"));
}

TEST(WatchTable, nodes_areMeansAndSumsAndShowWhoIsLongestWhereItIs) {
    const auto rows = rowsOf(picture(), Level::Nodes);
    ASSERT_THAT(namesOf(rows), ElementsAre("node1", "node2"));
    EXPECT_DOUBLE_EQ(rows[0].interval[1], 0.5);
    EXPECT_DOUBLE_EQ(rows[0].values[6], 30);
    EXPECT_DOUBLE_EQ(rows[0].values[kMetricStay], 9);
    EXPECT_EQ(rows[0].process, 1U);
    EXPECT_EQ(rows[0].processes, 2U);
    EXPECT_EQ(rows[0].threads, 3U);
}

TEST(WatchTable, sortedByAMetric_largestComesFirst) {
    auto rows = rowsOf(picture(), Level::Processes);
    sort(rows, Order::Metric, kMetricLost);
    EXPECT_THAT(namesOf(rows), ElementsAre("rank 1", "rank 2", "rank 0"));
}

TEST(WatchTable, filtered_byNameOrNode) {
    const Picture all = picture();
    EXPECT_THAT(namesOf(filtered(rowsOf(all, Level::Processes), all, "node1")),
                ElementsAre("rank 0", "rank 1"));
    EXPECT_THAT(namesOf(filtered(rowsOf(all, Level::Processes), all, "rank 2")), ElementsAre("rank 2"));
    EXPECT_THAT(filtered(rowsOf(all, Level::Processes), all, "nothing"), IsEmpty());
}

TEST(WatchTable, counters_areRatesOrValues) {
    Picture all = picture();
    all.processes[0].counters = {{"instructions", "", true, 500, 20}, {"memory", "B", false, 77, 0}};
    const auto metrics = metricsOf(all);
    ASSERT_EQ(metrics.size(), 12U);
    EXPECT_EQ(metrics[10].name, "instructions");
    EXPECT_EQ(metrics[10].unit, "/s");
    EXPECT_EQ(metrics[11].unit, "B");
    const auto rows = rowsOf(all, Level::Processes);
    EXPECT_DOUBLE_EQ(rows[0].values[10], 20);
    EXPECT_DOUBLE_EQ(rows[0].values[11], 77);
    EXPECT_DOUBLE_EQ(rows[1].values[10], 0);
}

TEST(WatchHistory, valuesOfARow_newestLastAndNotMoreThanWanted) {
    History history;
    for (double mpi : {0.1, 0.2, 0.3}) {
        Picture one;
        one.processes = {process(0, "node1", mpi, 1)};
        history.add(rowsOf(one, Level::Processes));
    }
    EXPECT_THAT(history.of("rank 0", 1, 2), ElementsAre(20, 30));
    EXPECT_THAT(history.of("rank 0", 1, 9), ElementsAre(10, 20, 30));
    EXPECT_THAT(history.of("rank 7", 1, 9), IsEmpty());
}

TEST(Sparkline, values_haveTheirHeight) {
    EXPECT_EQ(sparkline({0, 50, 100}), "▁▅█");
    EXPECT_EQ(sparkline({0, 50, 100}, 0, false), "_=#");
    EXPECT_EQ(sparkline({50}, 100), "▅");
    EXPECT_EQ(sparkline({0, 0}), "▁▁");
    EXPECT_EQ(sparkline({}), "");
}

}  // namespace
}  // namespace holos::watch
