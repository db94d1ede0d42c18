// SPDX-License-Identifier: BSD-3-Clause
// Rows in another order: those of equal keys one after the other, or sorted; in memory or in a file.
#include "report/query/kept_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/stopped.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/query/query_fixture.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Numbers from 0 on: whether each is even, its rest by three or nothing, itself and half of it.
class Numbers final : public query::Cursor {
  public:
    explicit Numbers(std::int64_t count) : count_(count) {}
    bool next() override { return ++at_ < count_; }
    query::Value value(std::size_t column) const override {
        switch (column) {
            case 0:
                return std::string_view(at_ % 2 == 0 ? "even" : "odd");
            case 1:
                return at_ % 3 == 0 ? query::Value() : query::Value(at_ % 3);
            case 2:
                return at_;
            default:
                return static_cast<double>(at_) / 2.0;
        }
    }

  private:
    std::int64_t count_;
    std::int64_t at_ = -1;
};

std::string textOf(const query::Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
    return "-";
}

class OrderedNumbers : public ::testing::TestWithParam<std::size_t> {
  protected:
    using Put = std::unique_ptr<query::Cursor> (*)(std::unique_ptr<query::Cursor>, query::RowOrder,
                                                   const std::atomic<bool>&);

    Rows rows(Put inOrder, std::int64_t count, std::vector<query::OrderKey> keys, std::uint64_t columns) {
        const auto cursor = inOrder(std::make_unique<Numbers>(count),
                                    {.keys = std::move(keys),
                                     .columns = columns,
                                     .folder = folder_.path(),
                                     .mostInMemory = GetParam()},
                                    stopped_);
        Rows all;
        while (cursor->next()) {
            std::string text;
            for (std::size_t column = 0; column < 4; ++column)
                if ((columns >> column & 1U) != 0)
                    text += (text.empty() ? "" : " ") + textOf(cursor->value(column));
            all.push_back(text);
        }
        return all;
    }

    TemporaryDirectory folder_;
    std::atomic<bool> stopped_ = false;
};

class GroupedNumbers : public OrderedNumbers {
  protected:
    Rows rows(std::int64_t count, std::vector<query::OrderKey> keys, std::uint64_t columns) {
        return OrderedNumbers::rows(&query::groupedRows, count, std::move(keys), columns);
    }
};

class SortedNumbers : public OrderedNumbers {
  protected:
    Rows rows(std::int64_t count, std::vector<query::OrderKey> keys, std::uint64_t columns) {
        return OrderedNumbers::rows(&query::sortedRows, count, std::move(keys), columns);
    }
};

TEST_P(GroupedNumbers, rowsOfEqualKeys_standTogetherInTheOrderOfTheKeys) {
    EXPECT_THAT(rows(7, {{0, false}}, 0b1101), ElementsAre("even 0 0", "even 2 1", "even 4 2", "even 6 3",
                                                           "odd 1 0.5", "odd 3 1.5", "odd 5 2.5"));
    EXPECT_THAT(rows(7, {{1, true}, {0, false}}, 0b0111),
                ElementsAre("even 2 2", "odd 2 5", "even 1 4", "odd 1 1", "even - 0", "even - 6", "odd - 3"));
    EXPECT_THAT(rows(5, {{0, true}}, 0b0001), ElementsAre("odd", "odd", "even", "even", "even"));
    EXPECT_TRUE(rows(0, {{0, false}}, 0b0001).empty());
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "what lies there has no name";
}

TEST_P(GroupedNumbers, gatheringThatIsStopped_ends) {
    stopped_ = true;
    EXPECT_THROW(rows(7, {{0, false}}, 0b0001), Stopped);
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndInAFile, GroupedNumbers,
                         ::testing::Values(std::size_t{1} << 20U, std::size_t{20}));

TEST_P(SortedNumbers, rowsOfEqualKeys_stayInTheirOrder) {
    EXPECT_THAT(rows(5, {{3, true}}, 0b1101),
                ElementsAre("even 4 2", "odd 3 1.5", "even 2 1", "odd 1 0.5", "even 0 0"));
    EXPECT_THAT(rows(7, {{1, false}, {0, true}}, 0b0111),
                ElementsAre("odd - 3", "even - 0", "even - 6", "odd 1 1", "even 1 4", "odd 2 5", "even 2 2"));
    EXPECT_TRUE(rows(0, {{0, false}}, 0b0001).empty());
}

TEST_P(SortedNumbers, manyRows_areThoseThatSortingInMemoryGives) {
    constexpr std::int64_t kRows = 20'000;
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 0; number < kRows; ++number) numbers.push_back(number);
    std::ranges::stable_sort(numbers, std::greater(), [](std::int64_t number) { return number % 3; });
    std::ranges::stable_sort(numbers, {}, [](std::int64_t number) { return number % 2; });
    Rows expected;
    for (const std::int64_t number : numbers) expected.push_back(std::to_string(number));
    EXPECT_EQ(rows(kRows, {{0, false}, {1, true}}, 0b0100), expected);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "what lies there has no name";
}

TEST_P(SortedNumbers, sortingThatIsStopped_ends) {
    stopped_ = true;
    EXPECT_THROW(rows(7, {{0, false}}, 0b0001), Stopped);
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndInAFile, SortedNumbers,
                         ::testing::Values(std::size_t{1} << 20U, std::size_t{2000}));

TEST(SortedRows, folderThatTakesNothing_isNamedAndWhatToDo) {
    const std::atomic<bool> stopped = false;
    const auto cursor = query::sortedRows(
        std::make_unique<Numbers>(100),
        {.keys = {{0, false}}, .columns = 1, .folder = "/proc/self", .mostInMemory = 100}, stopped);
    try {
        cursor->next();
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("/proc/self"));
        EXPECT_THAT(error.what(), HasSubstr("TMPDIR"));
    }
}

/// Sorting what is grouped here would take several times the memory that there is.
TEST(GroupedCalls, groupsOfManyCalls_needLittleMemory) {
    constexpr std::uint64_t kCalls = 100'000;
    TraceBuilder trace(1);
    LocationScript& thread = trace.on(0).enter(0, "main");
    for (std::uint64_t call = 0; call < kCalls; ++call)
        thread.call(2 * call, 2 * call + 1, call % 4 == 0 ? "a_function_that_is_called_now_and_then" : "b");
    thread.leave(2 * kCalls);
    const TemporaryDirectory folder;
    const auto run = trace.write(folder.path() / "run");
    const query::Limits little{.memory = std::uint64_t{4} << 20U};
    EXPECT_THAT(
        answerOf(run, "SELECT call_path, count(*), round(sum(duration), 6) FROM calls GROUP BY 1", little),
        ElementsAre("main 1 200", "main/a_function_that_is_called_now_and_then 25000 25", "main/b 75000 75"));
    const Rows sorted =
        answerOf(run, "SELECT call_path, start FROM calls ORDER BY call_path, start DESC", little);
    ASSERT_EQ(sorted.size(), kCalls + 1);
    EXPECT_EQ(sorted[0], "main 0");
    EXPECT_EQ(sorted[1], "main/a_function_that_is_called_now_and_then 199.992");
    EXPECT_EQ(sorted.back(), "main/b 0.002");
    EXPECT_THAT(answerOf(run, "SELECT max(\"end\"), min(start) FROM calls ORDER BY 1", little),
                ElementsAre("200 0"));
    EXPECT_THAT(answerOf(run, "SELECT DISTINCT region FROM calls WHERE duration < 1", little),
                ElementsAre("a_function_that_is_called_now_and_then", "b"));
    EXPECT_THAT(
        answerOf(run, "SELECT region, depth, count(*) FROM calls GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT 2",
                 little),
        ElementsAre("main 0 1", "b 1 75000"));
    EXPECT_THAT(answerOf(run,
                         "SELECT l.thread, c.region, count(*) FROM locations l JOIN calls c ON l.location = "
                         "c.location WHERE c.region = 'b' GROUP BY 1, 2"),
                ElementsAre("0 b 75000"));
}

}  // namespace
}  // namespace holos::testing
