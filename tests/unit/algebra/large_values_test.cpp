// SPDX-License-Identifier: BSD-3-Clause
// Metrics that are too large to be kept in memory: queries read what they need, and find what tables would
// give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "algebra/files/cubex.h"
#include "algebra/model/metric_rows.h"
#include "algebra/model/metric_values.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/support/hollow_experiment.h"
#include "tests/support/large_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

using holos::testing::HollowSums;
using holos::testing::largeExperiment;
using holos::testing::LargeExperimentShape;
using holos::testing::TemporaryDirectory;
using ::testing::HasSubstr;

/// 72 MB a metric: more than queries keep.
const LargeExperimentShape kLarge{.metrics = 1, .callPaths = 36, .ranks = 62'500, .threads = 4};

using Question = std::function<std::vector<double>(const Experiment&)>;

/// Each way in which queries read a metric.
std::vector<Question> questions() {
    const MetricChoice metric{MetricId(0), Extent::Inclusive};
    const ChosenPaths some{{CallPathId(4), Extent::Inclusive}, {CallPathId(9), Extent::Exclusive}};
    const ChosenLocations few{LocationId(1), LocationId(77'777)};
    return {
        [=](const Experiment& from) { return std::vector{aggregate(from, metric)}; },
        [=](const Experiment& from) { return perCallPath(from, metric, Extent::Inclusive); },
        [=](const Experiment& from) { return perCallPath(from, metric, Extent::Exclusive); },
        [=](const Experiment& from) { return perLocation(from, metric); },
        [=](const Experiment& from) { return std::vector{aggregate(from, metric, some)}; },
        [=](const Experiment& from) { return std::vector{aggregate(from, metric, some, few)}; },
        [=](const Experiment& from) { return perCallPath(from, metric, Extent::Inclusive, few); },
        [=](const Experiment& from) { return perLocation(from, metric, some); },
        [=](const Experiment& from) {
            return perGroup(from, metric, {few.given(), {LocationId(3)}}, some);
        },
        [=](const Experiment& from) { return perGroup(from, metric, {few.given()}); },
    };
}

/// Values that are streamed give the answers that a table in memory gives.
void expectSameAnswers(const Experiment& streamed, const std::string& what) {
    ASSERT_EQ(streamed.severities.tableIfSmall(MetricId(0)), nullptr) << what;
    Experiment held = largeExperiment(
        {.metrics = 0, .callPaths = kLarge.callPaths, .ranks = kLarge.ranks, .threads = kLarge.threads});
    held.metrics.add(streamed.metrics[MetricId(0)]);
    held.severities.set(MetricId(0), *streamed.severities.rows(MetricId(0))->table());
    const std::vector<Question> all = questions();
    for (std::size_t at = 0; at < all.size(); ++at) {
        const std::vector<double> expected = all[at](held);
        EXPECT_TRUE(all[at](streamed) == expected) << what << ", question " << at;
        EXPECT_TRUE(all[at](streamed) == expected) << what << ", question " << at << " again";
    }
    EXPECT_FALSE(streamed.severities.isInMemory(MetricId(0)));
}

TEST(LargeValues, queries_findWhatATableWouldGive_bitForBit) {
    expectSameAnswers(largeExperiment(kLarge), "made when asked for");
    Experiment extremes = largeExperiment(kLarge);
    extremes.metrics[MetricId(0)].valueType = ValueType::MaxDouble;
    expectSameAnswers(extremes, "largest ones");
}

/// Row by row what `MetricValues` has in tables.
void expectRowsOfTables(const Experiment& experiment, std::size_t memory) {
    MetricValues tables(experiment, {});
    MetricRows rows(experiment, MetricId(0), MetricRows::Below::Added, memory);
    const SeverityTable& own = tables.everywhere(MetricId(0));
    const SeverityTable& all = tables.everywhere(MetricId(0), Extent::Inclusive);
    for (const CallPathId path : experiment.callTree.ids()) {
        EXPECT_EQ(rows.hasRow(path), own.hasRow(path) || all.hasRow(path));
        EXPECT_TRUE(std::ranges::equal(rows.own(path), own.row(path))) << path.index();
        EXPECT_TRUE(std::ranges::equal(rows.withBelow(path), all.row(path))) << path.index();
    }
}

TEST(LargeValues, passedRowByRow_areThoseOfTables_bitForBit) {
    const LargeExperimentShape sparse{
        .metrics = 1, .callPaths = 300, .ranks = 3, .threads = 2, .density = 0.3};
    const Experiment small = largeExperiment(sparse);
    for (const std::size_t memory : {0, 5 * 6 * 8, 40 * 6 * 8, 1 << 20}) expectRowsOfTables(small, memory);
    const Experiment large = largeExperiment(kLarge);
    expectRowsOfTables(large, MetricRows::kUsualMemory);
    EXPECT_FALSE(large.severities.isInMemory(MetricId(0)));
}

TEST(LargeValues, ofAnExpressionAtEachPlace_areMadeWithoutATableOfItsTerms) {
    Experiment large = largeExperiment(kLarge);
    Metric twice = large.metrics[MetricId(0)];
    twice.uniqueName = "twice";
    twice.storage = Storage::PreDerivedExclusive;
    twice.expression = "2 * metric::" + large.metrics[MetricId(0)].uniqueName + "()";
    const MetricId derived = large.metrics.add(twice);
    MetricRows rows(large, derived, MetricRows::Below::Nothing);
    MetricRows terms(large, MetricId(0), MetricRows::Below::Nothing);
    const CallPathId last(kLarge.callPaths - 1);
    ASSERT_FALSE(terms.own(last).empty());
    EXPECT_EQ(rows.own(last).back(), 2 * terms.own(last).back());
    EXPECT_TRUE(rows.withBelow(last).empty());
    EXPECT_FALSE(large.severities.isInMemory(MetricId(0)));
}

/// Written and read again.
Experiment fromFile(const LargeExperimentShape& shape, const std::filesystem::path& file) {
    writeCubex(largeExperiment(shape), file);
    return readCubex(file);
}

void expectSums(bool isWhole) {
    const TemporaryDirectory folder;
    const auto file = folder.path() / "large.cubex";
    LargeExperimentShape shape = kLarge;
    shape.whole = isWhole;
    const Experiment read = fromFile(shape, file);
    EXPECT_NE(read.severities.opened(MetricId(0))->storedSums(), nullptr);
    EXPECT_TRUE(isAnsweredQuickly(read, {MetricId(0)}, {}));
    expectSameAnswers(read, isWhole ? "whole numbers" : "fractions");
    EXPECT_THAT(containerProblems(file), ::testing::IsEmpty());
}

TEST(LargeValues, queriesOfFiles_findWhatATableWouldGive_bitForBit) {
    expectSums(false);
}

TEST(LargeValues, wholeNumbersOfFiles_areWhatATableWouldGive_bitForBit) {
    expectSums(true);
}

TEST(LargeValues, storedInclusive_haveNoSums_andAreWhatATableWouldGive) {
    const TemporaryDirectory folder;
    LargeExperimentShape shape = kLarge;
    shape.inclusive = true;
    const Experiment read = fromFile(shape, folder.path() / "large.cubex");
    EXPECT_EQ(read.severities.opened(MetricId(0))->storedSums(), nullptr);
    EXPECT_FALSE(isAnsweredQuickly(read, {MetricId(0)}, {}));
    expectSameAnswers(read, "inclusive");
    EXPECT_TRUE(isAnsweredQuickly(read, {MetricId(0)}, {}));
}

TEST(LargeValues, changedValues_areSummedAnew) {
    Experiment experiment = largeExperiment(kLarge);
    const double before = aggregate(experiment, {MetricId(0)});
    experiment.severities.setRows(
        MetricId(0),
        largeExperiment({.metrics = 1, .callPaths = 36, .ranks = 62'500, .threads = 4, .seed = 2})
            .severities.source(MetricId(0)));
    EXPECT_NE(aggregate(experiment, {MetricId(0)}), before);
    experiment.severities.edit(MetricId(0)) = experiment.newTable();
    EXPECT_EQ(aggregate(experiment, {MetricId(0)}), 0.0);
}

TEST(LargeValues, manyThreads_askAtTheSameTime) {
    const Experiment experiment = largeExperiment(kLarge);
    const std::vector<double> expected = perLocation(largeExperiment(kLarge), {MetricId(0)});
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int at = 0; at < 4; ++at)
        threads.emplace_back([&] { right += perLocation(experiment, {MetricId(0)}) == expected ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
}

TEST(LargeValues, sumsThatAreNotThoseOfTheValues_areNamed) {
    const TemporaryDirectory folder;
    const auto file = folder.path() / "large.cubex";
    writeCubex(largeExperiment(kLarge), file);
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file)) / 2);
    stream.write("\0\0\0\0\0\0\0\1", 8);
    stream.close();
    EXPECT_THAT(containerProblems(file),
                ::testing::ElementsAre(HasSubstr("stored sums are not those of its values")));
}

/// 50 GiB as on a large machine; nothing where files have no holes.
std::optional<Experiment> hollow(const TemporaryDirectory& folder, HollowSums sums, unsigned metrics) {
    const auto file = folder.path() / "hollow.cubex";
    const LargeExperimentShape shape{.metrics = metrics, .callPaths = 1000, .ranks = 65'536, .threads = 1};
    if (!writeHollowExperiment(shape, file, sums)) return std::nullopt;
    return readCubex(file);
}

TEST(LargeValues, storedSumsOf50Gigabytes_needNoValues) {
    const TemporaryDirectory folder;
    const auto experiment = hollow(folder, HollowSums::Stored, 100);
    if (!experiment) GTEST_SKIP() << "no files with holes of this size here";
    EXPECT_GT(std::filesystem::file_size(folder.path() / "hollow.cubex"), std::uint64_t{50'000'000'000});
    for (const MetricId metric : experiment->metrics.ids()) {
        const auto number = static_cast<double>(metric.index());
        EXPECT_EQ(aggregate(*experiment, {metric}), 2 * number + 3);
        EXPECT_EQ(perCallPath(*experiment, {metric}, Extent::Exclusive).back(), number + 2);
        EXPECT_EQ(perLocation(*experiment, {metric}).front(), number + 1);
        const ChosenPaths last{{CallPathId(999), Extent::Inclusive}};
        EXPECT_EQ(perLocation(*experiment, {metric}, last).back(), number + 2);
        EXPECT_FALSE(experiment->severities.isInMemory(metric));
    }
}

TEST(LargeValues, metricOf500MegabytesWithoutSums_isReadInPassing) {
    const TemporaryDirectory folder;
    const auto experiment = hollow(folder, HollowSums::None, 1);
    if (!experiment) GTEST_SKIP() << "no files with holes of this size here";
    EXPECT_FALSE(isAnsweredQuickly(*experiment, {MetricId(0)}, {}));
    EXPECT_EQ(aggregate(*experiment, {MetricId(0)}), 3.0);
    EXPECT_TRUE(isAnsweredQuickly(*experiment, {MetricId(0)}, {}));
    EXPECT_FALSE(experiment->severities.isInMemory(MetricId(0)));
}

TEST(LargeValues, fileThatIsShortenedWhileItIsRead_isAnError) {
    const TemporaryDirectory folder;
    const auto experiment = hollow(folder, HollowSums::None, 1);
    if (!experiment) GTEST_SKIP() << "no files with holes of this size here";
    const ChosenPaths first{{CallPathId(1), Extent::Exclusive}};
    EXPECT_EQ(perLocation(*experiment, {MetricId(0)}, first).front(), 0.0);
    std::filesystem::resize_file(folder.path() / "hollow.cubex", std::uint64_t{100} << 20);
    const ChosenPaths last{{CallPathId(999), Extent::Exclusive}};
    try {
        perLocation(*experiment, {MetricId(0)}, last);
        FAIL() << "values beyond the file's end";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("hollow.cubex: the file ends too early"));
    }
    EXPECT_THROW(aggregate(*experiment, {MetricId(0)}), Error);
    const ChosenPaths second{{CallPathId(2), Extent::Exclusive}};
    EXPECT_EQ(perLocation(*experiment, {MetricId(0)}, second).front(), 0.0);
}

TEST(LargeValues, fileThatIsShortenedBeforeItIsRead_isAnErrorAtOnce) {
    const TemporaryDirectory folder;
    const auto experiment = hollow(folder, HollowSums::None, 1);
    if (!experiment) GTEST_SKIP() << "no files with holes of this size here";
    std::filesystem::resize_file(folder.path() / "hollow.cubex", std::uint64_t{20} << 20);
    EXPECT_TRUE(isAnsweredQuickly(*experiment, {MetricId(0)}, {}));
    EXPECT_THROW(aggregate(*experiment, {MetricId(0)}), Error);
}

}  // namespace
}  // namespace holos::algebra
