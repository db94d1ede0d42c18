// SPDX-License-Identifier: BSD-3-Clause
// Values on their way from file to file: made row by row, by any number of threads, never all in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <fstream>
#include <sstream>

#include "algebra/files/cubex.h"
#include "algebra/files/experiment_file.h"
#include "algebra/files/tar.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/scale.h"
#include "base/error.h"
#include "base/output_file.h"
#include "tests/support/large_experiment.h"
#include "tests/support/small_experiment.h"
#include "tests/unit/algebra/container.h"

namespace holos::algebra::testing {
namespace {

using holos::testing::largeExperiment;
using holos::testing::LargeExperimentShape;
using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

std::string contentOf(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// A file of whole numbers at call paths 0 (two) and 3 (one), of the only metric, which has this name.
std::filesystem::path fileOfWholeNumbers(const std::string& metric,
                                         const std::vector<std::uint64_t>& values) {
    std::string anchor = anchorWith(R"(type="EXCLUSIVE")", "UINT64");
    anchor.replace(anchor.find("<uniq_name>m<"), 13, "<uniq_name>" + metric + "<");
    std::string data = "CUBEX.DATA";
    data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    return fileWith(tarOf({{"anchor.xml", anchor}, {"7.index", sparseIndex({0, 3})}, {"7.data", data}}));
}

/// The whole numbers that stand in the file written of an experiment.
std::vector<std::uint64_t> wholeNumbers(const Experiment& experiment, const std::string& member) {
    const auto path = fileWith("");
    writeCubex(experiment, path);
    const FileReader file(path);
    const TarMember data = readTarDirectory(file).at(member);
    std::vector<std::uint64_t> values((data.size - 10) / sizeof(std::uint64_t));
    file.read(data.offset + 10, values.size() * sizeof values[0], reinterpret_cast<char*>(values.data()));
    return values;
}

std::vector<double> rowOf(const Experiment& experiment, std::size_t metric, std::size_t path) {
    const auto row = experiment.severities.table(MetricId(metric)).row(CallPathId(path));
    return {row.begin(), row.end()};
}

TEST(Streaming, result_isTheSameForAnyNumberOfThreads) {
    LargeExperimentShape shape{.metrics = 3, .callPaths = 2000, .ranks = 20, .threads = 3, .density = 0.6};
    const auto a = fileWith(""), b = fileWith("");
    writeCubex(largeExperiment(shape), a);
    shape.seed = 2;
    shape.inclusive = true;
    writeCubex(largeExperiment(shape), b);
    std::vector<std::string> results;
    for (const std::size_t threads : {1U, 2U, 7U}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        const Experiment first = readCubex(a), second = readCubex(b);
        const auto file = fileWith("");
        writeCubex(merge({first, second}), file);
        results.push_back(contentOf(file));
        for (const MetricId metric : first.metrics.ids()) second.severities.table(metric);
        writeCubex(merge({first, second}), file);  // from memory
        results.push_back(contentOf(file));
    }
    for (const std::string& each : results) EXPECT_TRUE(each == results.front());
}

TEST(Streaming, mean_isOfTheValuesInTheFiles) {
    LargeExperimentShape shape{.metrics = 2, .callPaths = 500, .ranks = 10, .threads = 10, .density = 0.5};
    const Experiment a = largeExperiment(shape);
    shape.seed = 2;
    const Experiment b = largeExperiment(shape);
    const auto file = fileWith("");
    writeCubex(mean({a, b}), file);
    const Experiment result = readCubex(file);
    for (std::size_t path = 0; path < 500; ++path) {
        std::vector<double> expected(100, 0.0);
        for (const Experiment* input : {&a, &b}) {
            const auto row = rowOf(*input, 1, path);
            for (std::size_t at = 0; at < row.size(); ++at) expected[at] += row[at];
        }
        for (double& value : expected) value /= 2;
        const bool none = rowOf(a, 1, path).empty() && rowOf(b, 1, path).empty();
        EXPECT_EQ(rowOf(result, 1, path), none ? std::vector<double>() : expected);
    }
}

TEST(Streaming, result_outlivesItsInputsAndTheirChanges) {
    Experiment result;
    {
        Experiment a = SmallExperiment().counter("faults", {{"main", {5, 7}}}).take();
        Experiment b = SmallExperiment().counter("faults", {{"main", {1, 2}}}).take();
        result = diff(a, b);
        a.severities.edit(MetricId(0)).editRow(CallPathId(0))[0] = 100;
    }
    EXPECT_THAT(valuesAt(result, "faults", "main"), ElementsAre(4, 5));
}

/// Values that must not be in memory as a whole; counts which rows are made.
class RowsInPassing final : public Rows {
  public:
    explicit RowsInPassing(std::size_t& made) : Rows(3, 2, 0.0), made_(made) {}
    bool hasRow(CallPathId path) const override { return path.index() != 1; }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        ++made_;
        scratch[0] = static_cast<double>(path.index()) + 1;
        scratch[1] = 0;
        return scratch.first(2);
    }
    std::shared_ptr<const SeverityTable> table() const override {
        ADD_FAILURE() << "all of it is in memory";
        return Rows::table();
    }

  private:
    std::size_t& made_;
};

TEST(Streaming, scaledValues_areMadeWhenTheyAreAskedFor) {
    std::size_t made = 0;
    SmallExperiment builder;
    builder.counter("faults", {{"main", {}}, {"main/a", {}}, {"main/b", {}}});
    Experiment experiment = builder.take();
    experiment.metrics[MetricId(0)].valueType = ValueType::Double;
    experiment.severities.setRows(MetricId(0), [&made] { return std::make_shared<RowsInPassing>(made); });
    Scaling scaling;
    scaling.factor = -2;
    const Experiment result = scale(std::move(experiment), scaling);
    EXPECT_EQ(made, 0U);
    const RowsPtr rows = result.severities.rows(MetricId(0));
    std::vector<double> scratch(2);
    EXPECT_FALSE(rows->hasRow(CallPathId(1)));
    EXPECT_TRUE(rows->row(CallPathId(1), scratch).empty());
    EXPECT_THAT(rows->row(CallPathId(2), scratch), ElementsAre(-6, 0));
    EXPECT_EQ(made, 1U);
}

TEST(Streaming, outputOverAnInput_isWhatItWouldBeElsewhere) {
    const LargeExperimentShape shape{.metrics = 2, .callPaths = 300, .ranks = 4, .threads = 2};
    const auto input = fileWith(""), elsewhere = fileWith("");
    writeCubex(largeExperiment(shape), input);
    const Experiment experiment = readCubex(input);
    writeCubex(mean({experiment, experiment}), elsewhere);
    writeCubex(mean({experiment, experiment}), input);
    EXPECT_TRUE(contentOf(input) == contentOf(elsewhere));
}

TEST(Streaming, memberThatMightHaveBeenHuge_isFound) {
    const auto path = fileWith("");
    OutputFile file(path);
    TarWriter tar(file);
    const std::string longName(150, 'n');
    tar.begin("huge", std::uint64_t{1} << 40);
    tar.append("content");
    tar.end();
    tar.begin(longName, 100);
    tar.append("more ");
    tar.append("content");
    tar.end();
    tar.finish();
    file.commit();
    const FileReader reader(path);
    const auto members = readTarDirectory(reader);
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(reader.read(members.at("huge").offset, members.at("huge").size), "content");
    EXPECT_EQ(reader.read(members.at(longName).offset, members.at(longName).size), "more content");
}

TEST(Streaming, wholeNumbersBeyondDoubles_keepEveryDigitWhereTheyOnlyMove) {
    const std::vector<std::uint64_t> large{9007199254740993, 18446744073709551615U, 3, 9007199254740995};
    const auto file = fileOfWholeNumbers("m", large);
    const Experiment a = readCubex(file);
    const Experiment b = readCubex(fileOfWholeNumbers("n", {1, 2, 3, 4}));
    EXPECT_EQ(wholeNumbers(a, "0.data"), large);
    EXPECT_EQ(wholeNumbers(merge({a, b}), "0.data"), large);
    EXPECT_EQ(wholeNumbers(sum({b, a}), "1.data"), large);
    EXPECT_EQ(wholeNumbers(cut(readCubex(file), {.prune = {"r2", "r5"}}), "0.data"), large);
    EXPECT_EQ(wholeNumbers(sum({b, b}), "0.data"), (std::vector<std::uint64_t>{2, 4, 6, 8}));
}

TEST(Streaming, wholeNumbersBeyondDoubles_areRoundedWhereTheyAreAdded) {
    Experiment a = readCubex(fileOfWholeNumbers("m", {9007199254740993, 5, 1, 2}));
    EXPECT_EQ(wholeNumbers(cut(std::move(a), {.prune = {"r3"}}), "0.data"),
              (std::vector<std::uint64_t>{9007199254740992, 7}));
}

TEST(Streaming, severalFiles_complainAboutTheFirst) {
    const auto good = fileOfWholeNumbers("m", {1, 2, 3, 4});
    EXPECT_EQ(readExperiments({good, good}).size(), 2U);
    try {
        readExperiments({good, "/no/such/first.cubex", "/no/such/second.cubex"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "/no/such/first.cubex");
    }
}

TEST(LargeExperiment, shape_isWhatWasAskedFor) {
    const LargeExperimentShape shape{
        .metrics = 2, .callPaths = 4000, .ranks = 3, .threads = 2, .density = 0.25};
    const Experiment experiment = largeExperiment(shape);
    EXPECT_EQ(experiment.metrics.size(), 2U);
    EXPECT_EQ(experiment.callTree.size(), 4000U);
    EXPECT_EQ(experiment.system.locations.size(), 6U);
    std::size_t rows = 0;
    for (const CallPathId path : experiment.callTree.ids())
        rows += experiment.severities.table(MetricId(1)).hasRow(path) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(rows), 1000, 100);
    EXPECT_EQ(rowOf(experiment, 1, 17), rowOf(largeExperiment(shape), 1, 17));
}

}  // namespace
}  // namespace holos::algebra::testing
