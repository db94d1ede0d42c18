// SPDX-License-Identifier: BSD-3-Clause
// Tables, rows, and how an experiment hands them out.
#include "algebra/model/severities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include "base/error.h"

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;

constexpr MetricId kMetric{};

/// Row p has the values 10 p + 1 and 10 p + 2, and every third row is there only to be found empty.
class CountedRows final : public Rows {
  public:
    CountedRows(std::size_t callPaths, std::atomic<int>& reads) : Rows(callPaths, 2, 0.0), reads_(reads) {}
    bool hasRow(CallPathId path) const override { return path.index() % 2 == 0; }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        ++reads_;
        const double first = 10.0 * static_cast<double>(path.index());
        const bool empty = path.index() % 3 == 0;
        scratch[0] = empty ? 0.0 : first + 1;
        scratch[1] = empty ? 0.0 : first + 2;
        return scratch.first(2);
    }

  private:
    std::atomic<int>& reads_;
};

std::vector<double> rowOf(const SeverityTable& table, std::size_t path) {
    const auto row = table.row(CallPathId(path));
    return {row.begin(), row.end()};
}

TEST(SeverityTable, rows_stayWhereTheyAreWhenOthersAreMade) {
    SeverityTable table(1000, 3, -1.0);
    const auto first = table.editRow(CallPathId(7));
    first[1] = 5;
    for (std::size_t at = 0; at < 1000; ++at) table.editRow(CallPathId(at))[2] = static_cast<double>(at);
    EXPECT_EQ(first.data(), table.row(CallPathId(7)).data());
    EXPECT_THAT(rowOf(table, 7), ElementsAre(-1, 5, 7));
    EXPECT_THAT(rowOf(table, 999), ElementsAre(-1, -1, 999));
}

TEST(SeverityTable, copy_sharesNothing) {
    SeverityTable table(4, 2);
    table.add(CallPathId(1), LocationId(0), 1);
    table.add(CallPathId(3), LocationId(1), 2);
    SeverityTable copy = table;
    copy.add(CallPathId(1), LocationId(0), 10);
    copy.add(CallPathId(0), LocationId(0), 20);
    EXPECT_THAT(rowOf(table, 1), ElementsAre(1, 0));
    EXPECT_THAT(rowOf(copy, 1), ElementsAre(11, 0));
    EXPECT_THAT(rowOf(copy, 3), ElementsAre(0, 2));
    EXPECT_FALSE(table.hasRow(CallPathId(0)));
}

TEST(SeverityTable, adoptedRows_areRowsLikeOthers) {
    SeverityTable table(4, 2);
    auto values = std::make_unique<double[]>(4);
    std::copy_n(std::array{1.0, 2.0, 3.0, 4.0}.begin(), 4, values.get());
    table.adoptRows(std::move(values), std::vector{CallPathId(3), CallPathId(1)});
    table.add(CallPathId(0), LocationId(1), 5);
    const SeverityTable copy = table;
    EXPECT_THAT(rowOf(copy, 3), ElementsAre(1, 2));
    EXPECT_THAT(rowOf(copy, 1), ElementsAre(3, 4));
    EXPECT_THAT(rowOf(copy, 0), ElementsAre(0, 5));
}

TEST(SeverityTable, callPathBeyondTheTable_hasNoRow) {
    EXPECT_FALSE(SeverityTable().hasRow(CallPathId(0)));
    EXPECT_TRUE(SeverityTable(1, 1).row(CallPathId(9)).empty());
}

TEST(Rows, table_hasTheRowsWithValues) {
    std::atomic<int> reads = 0;
    const auto table = CountedRows(100'000, reads).table();
    EXPECT_THAT(rowOf(*table, 4), ElementsAre(41, 42));
    EXPECT_THAT(rowOf(*table, 99'998), ElementsAre(999'981, 999'982));
    EXPECT_FALSE(table->hasRow(CallPathId(5)));
    EXPECT_FALSE(table->hasRow(CallPathId(6)));  // all values turned out to be 0
    EXPECT_EQ(reads, 50'000);
}

TEST(Severities, rows_areReadAnewEachTimeUntilTheTableIsAskedFor) {
    std::atomic<int> opened = 0, reads = 0;
    Severities severities;
    severities.setRows(kMetric, [&] { return ++opened, std::make_shared<CountedRows>(10, reads); });
    EXPECT_EQ(opened, 0);
    double scratch[2];
    for (int pass = 0; pass < 2; ++pass)
        EXPECT_THAT(severities.rows(kMetric)->row(CallPathId(2), scratch), ElementsAre(21, 22));
    EXPECT_EQ(opened, 2);
    EXPECT_EQ(reads, 2);
    EXPECT_THAT(rowOf(severities.table(kMetric), 2), ElementsAre(21, 22));
    severities.table(kMetric);
    severities.rows(kMetric)->row(CallPathId(2), scratch);
    EXPECT_EQ(opened, 3);
    EXPECT_EQ(reads, 2 + 5);
}

TEST(Severities, source_isNotChangedByLaterEdits) {
    std::atomic<int> reads = 0;
    Severities severities;
    severities.setRows(kMetric, [&] { return std::make_shared<CountedRows>(10, reads); });
    const RowSource unread = severities.source(kMetric);
    severities.edit(kMetric).editRow(CallPathId(2))[0] = -1;
    const RowSource edited = severities.source(kMetric);
    severities.edit(kMetric).editRow(CallPathId(2))[0] = -2;
    const auto first = [](const RowSource& source) {
        double scratch[2];
        return source()->row(CallPathId(2), scratch)[0];
    };
    EXPECT_EQ(first(unread), 21);
    EXPECT_EQ(first(edited), -1);
    EXPECT_EQ(first(severities.source(kMetric)), -2);
}

TEST(Severities, valuesThatWereNeverSet_areNone) {
    const Severities severities;
    EXPECT_FALSE(severities.has(kMetric));
    EXPECT_EQ(severities.table(kMetric).callPaths(), 0U);
    EXPECT_FALSE(severities.rows(kMetric)->hasRow(CallPathId(0)));
}

TEST(Severities, failedLoad_failsAgain) {
    Severities severities;
    severities.setRows(kMetric, []() -> RowsPtr { throw Error("damaged values"); });
    EXPECT_THROW(severities.table(kMetric), Error);
    EXPECT_THROW(severities.table(kMetric), Error);
    EXPECT_THROW(severities.rows(kMetric), Error);
}

TEST(Severities, manyThreads_loadATableOnce) {
    std::atomic<int> reads = 0;
    Severities severities;
    severities.setRows(kMetric, [&] { return std::make_shared<CountedRows>(100'000, reads); });
    std::vector<const SeverityTable*> seen(8);
    {
        std::vector<std::jthread> threads;
        for (auto& each : seen) threads.emplace_back([&] { each = &severities.table(kMetric); });
    }
    for (const SeverityTable* each : seen) EXPECT_EQ(each, seen.front());
    EXPECT_EQ(reads, 50'000);
}

/// A row of another machine, which comes when it is let.
class RowsFromAfar final : public Rows {
  public:
    explicit RowsFromAfar(std::shared_future<void> isLet) : Rows(1, 2, 0.0), isLet_(std::move(isLet)) {}
    bool hasRow(CallPathId) const override { return true; }
    std::span<const double> row(CallPathId, std::span<double> scratch) const override {
        isLet_.wait();
        std::ranges::fill(scratch, 1.0);
        return scratch.first(2);
    }
    bool isFar() const override { return true; }

  private:
    std::shared_future<void> isLet_;
};

TEST(Severities, ofAnotherMachine_areNotAtHandUntilTheyHaveCome) {
    std::promise<void> let;
    Severities severities;
    severities.setRows(
        kMetric, [rows = std::make_shared<const RowsFromAfar>(let.get_future().share())] { return rows; });
    EXPECT_TRUE(severities.isFar(kMetric));
    EXPECT_FALSE(severities.isAtHand(kMetric));
    std::thread reader([&severities] { severities.tableIfSmall(kMetric); });
    // Who asks now does not wait for them.
    EXPECT_TRUE(severities.isFar(kMetric));
    EXPECT_FALSE(severities.isAtHand(kMetric));
    EXPECT_FALSE(severities.isInMemory(kMetric));
    let.set_value();
    reader.join();
    EXPECT_FALSE(severities.isFar(kMetric));
    EXPECT_TRUE(severities.isAtHand(kMetric));
    EXPECT_EQ(severities.table(kMetric).at(CallPathId(0), LocationId(1)), 1.0);
}

}  // namespace
}  // namespace holos::algebra
