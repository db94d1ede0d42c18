// SPDX-License-Identifier: BSD-3-Clause
// What `holos record --profile` adds up, against the analysis of a trace of the same run: both from the same
// events, so that every number has to be the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <tuple>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "analyzer/analyze.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A call path with the lines of its calls.
std::string nameOf(const algebra::Experiment& experiment, algebra::CallPathId path) {
    const auto parent = experiment.callTree.parent(path);
    const std::string line = ":" + std::to_string(experiment.callTree[path].line);
    return (parent ? nameOf(experiment, *parent) + "/" : "") + experiment.regionOf(path).name + line;
}

using Values = std::map<std::pair<std::string, std::size_t>, double>;

/// The least and the largest number stand for none in minima and maxima.
bool isNone(double value) {
    constexpr double kLarge = 1e300;
    return std::abs(value) > kLarge;
}

/// The values that are not zero, by call path and location.
Values valuesOf(const algebra::Experiment& experiment, algebra::MetricId metric) {
    Values values;
    const auto& table = experiment.severities.table(metric);
    for (const auto path : experiment.callTree.ids())
        for (std::size_t i = 0; i < experiment.system.locations.size(); ++i)
            if (const double value = table.at(path, algebra::LocationId(i)); value != 0 && !isNone(value))
                values[{nameOf(experiment, path), i}] += value;
    return values;
}

/// In nanoseconds sums of times differ by how their parts are rounded.
bool isSame(double one, double other, const std::string& unit) {
    const double tolerance = unit == "sec" ? 2e-6 : 0;
    return std::abs(one - other) <= tolerance;
}

void expectSame(const algebra::Experiment& profile, const algebra::Experiment& analysis,
                const algebra::Metric& metric) {
    const auto other = analysis.findMetric(metric.uniqueName);
    ASSERT_TRUE(other) << metric.uniqueName;
    EXPECT_EQ(metric.displayName, analysis.metrics[*other].displayName);
    EXPECT_EQ(metric.unit, analysis.metrics[*other].unit);
    EXPECT_EQ(metric.description, analysis.metrics[*other].description);
    const Values found = valuesOf(profile, *profile.findMetric(metric.uniqueName));
    Values expected = valuesOf(analysis, *other);
    for (const auto& [key, value] : found) expected.try_emplace(key, 0);
    for (const auto& [key, value] : expected) {
        const auto at = found.find(key);
        const double own = at != found.end() ? at->second : 0;
        EXPECT_TRUE(isSame(own, value, metric.unit))
            << metric.uniqueName << " of " << key.first << ", location " << key.second << ": " << own
            << " in the profile, " << value << " by the analysis";
    }
}

bool isOfVisits(const std::string& name) {
    return name.starts_with("visit_time_") || name == "visits_repeated";
}

/// The lengths of single visits are those of no event, but they have to fit to what there is.
void expectFittingVisits(const algebra::Experiment& profile) {
    const auto& shortest = profile.severities.table(*profile.findMetric("visit_time_min"));
    const auto& longest = profile.severities.table(*profile.findMetric("visit_time_max"));
    const auto& squares = profile.severities.table(*profile.findMetric("visit_time_squares"));
    for (const auto path : profile.callTree.ids())
        for (std::size_t i = 0; i < profile.system.locations.size(); ++i) {
            const algebra::LocationId location(i);
            const double sum = squares.at(path, location);
            // One of no length is not in the file.
            if (sum == 0 || isNone(shortest.at(path, location))) continue;
            EXPECT_LE(shortest.at(path, location), longest.at(path, location));
            EXPECT_GE(sum * 1.001, longest.at(path, location) * longest.at(path, location));
        }
}

/// Records the program with both, and compares.
void expectProfileIsAnalysis(const std::string& program, const Words& launched = {},
                             const Words& options = {}) {
    const TemporaryDirectory directory;
    const fs::path folder =
        record(directory.path(), program, launched, Words{"--profile", "--trace"} + options);
    const algebra::Experiment profile = algebra::readExperiment(folder / "profile.cubex");
    const algebra::Experiment analysis =
        algebra::applySpecification(analyzer::analyze(folder).experiment, "auto");
    ASSERT_TRUE(profile.findMetric("time") && profile.findMetric("visits"));
    for (const auto id : profile.metrics.ids()) {
        const algebra::Metric& metric = profile.metrics[id];
        if (metric.origin == algebra::Origin::Measured && !isOfVisits(metric.uniqueName))
            expectSame(profile, analysis, metric);
    }
    expectFittingVisits(profile);
}

struct Case {
    const char* program;
    Words options = {};
};
class ProfiledProgram : public ::testing::TestWithParam<Case> {};

TEST_P(ProfiledProgram, besideATrace_everyNumberIsThatOfTheAnalysis) {
    expectProfileIsAnalysis(std::string(HOLOS_PROGRAMS "/") + GetParam().program, {}, GetParam().options);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ProfiledProgram,
    ::testing::Values(Case{"regions"}, Case{"user"}, Case{"threads"}, Case{"functions_gcc"},
                      Case{"deep_calls"}, Case{"construct_paths_gcc_optimised"},
                      Case{"construct_functions_gcc"}, Case{"constructs_gcc", {"--call-paths", "none"}},
                      Case{"task_paths_gcc"}, Case{"task_paths_gcc", {"--call-paths", "sites"}},
                      Case{"task_paths_gcc", {"--call-paths", "none"}},
                      Case{"task_paths_gcc", {"--openmp-runtime", "llvm"}}, Case{"synchronization_gcc"},
                      Case{"many_events_gcc"}, Case{"many_events_gcc", {"--call-paths", "none"}},
                      Case{"construct_functions_gcc", {"--counters", "ru_nvcsw,ru_minflt,ru_maxrss"}},
                      Case{"user", {"--counters", "ru_nvcsw,ru_minflt", "--compensate"}},
                      Case{"user", {"--counters", "ru_nvcsw,ru_minflt", "--multiplex"}},
                      Case{"threads", {"--write-back", "1ms"}}, Case{"functions_gcc", {"--throttle", "1"}}),
    [](const auto& test) { return "number" + std::to_string(test.index); });

class ProfiledMpi : public ::testing::TestWithParam<Case> {};

TEST_P(ProfiledMpi, besideATrace_everyNumberIsThatOfTheAnalysis) {
    const Words launched = launcher(2, "openmpi");
    if (launched.empty()) GTEST_SKIP() << "no launcher of Open MPI";
    expectProfileIsAnalysis(std::string(HOLOS_PROGRAMS "/") + GetParam().program + "_openmpi", launched,
                            GetParam().options);
}

INSTANTIATE_TEST_SUITE_P(Programs, ProfiledMpi,
                         ::testing::Values(Case{"call_paths_plain"}, Case{"call_paths_optimised"},
                                           Case{"collectives"}, Case{"one_sided"}, Case{"several_threads"},
                                           Case{"failing_calls"}, Case{"rounds_optimised"}, Case{"messages"},
                                           Case{"iterations"}, Case{"collectives", {"--mpi", "coll"}}),
                         [](const auto& test) { return "number" + std::to_string(test.index); });

/// A run of a loop, and what it leaves.
struct LoopRun {
    explicit LoopRun(const Words& options, const Words& arguments)
        : folder(directory.path() / "run"),
          result(runCommand(Words{HOLOS_PROGRAM, "record", "-o", folder} + options +
                            Words{"--", HOLOS_PROGRAMS "/loop"} + arguments)) {}
    bool has(const char* name) const { return fs::exists(folder / name); }
    algebra::Experiment profile() const { return algebra::readExperiment(folder); }

    TemporaryDirectory directory;
    fs::path folder;
    CommandResult result;
};

TEST(RecordedProfile, alone_noTraceAndAllCounts) {
    const LoopRun run({"--profile"}, {"1000"});
    ASSERT_EQ(run.result.exitCode, 0) << run.result.output;
    EXPECT_TRUE(run.has("profile.cubex") && run.has("measurement.json"));
    EXPECT_FALSE(run.has("traces.otf2") || run.has("traces") || run.has("recording"));
    const algebra::Experiment profile = run.profile();
    EXPECT_EQ(severity(profile, "visits", "loop/main/even", algebra::LocationId(0)), 500);
    EXPECT_EQ(severity(profile, "visits", "loop/main/odd", algebra::LocationId(0)), 500);
    EXPECT_EQ(severity(profile, "visits", "loop/main/odd/inner", algebra::LocationId(0)), 500);
}

TEST(RecordedProfile, folderWithoutTrace_isDescribedScoredAndNotAnalyzed) {
    const LoopRun run({"--profile"}, {"1000"});
    for (const char* command : {"show", "info", "score"})
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, command, run.folder.string()}).exitCode, 0) << command;
    const auto analysis = runCommand({HOLOS_PROGRAM, "analyze", run.folder.string()});
    EXPECT_EQ(analysis.exitCode, 1);
    EXPECT_THAT(analysis.output, ::testing::HasSubstr("without --profile"));
}

TEST(RecordedProfile, thousandTimesAsManyEvents_fileDoesNotGrow) {
    const LoopRun few({"--profile"}, {"1000"});
    const LoopRun many({"--profile"}, {"1000000"});
    ASSERT_EQ(many.result.exitCode, 0) << many.result.output;
    EXPECT_EQ(severity(many.profile(), "visits", "loop/main/even", algebra::LocationId(0)), 500'000);
    const auto small = static_cast<double>(fs::file_size(few.folder / "profile.cubex"));
    EXPECT_NEAR(static_cast<double>(fs::file_size(many.folder / "profile.cubex")), small, 0.1 * small);
}

/// Visits are lower bounds also where it is not known which calls were before.
TEST(RecordedProfile, morePathsBehindOneThanAreKeptApart_noFunctionHasMoreVisitsThanItHad) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--profile", "-o", directory.path() / "run",
                                    "--", HOLOS_PROGRAMS "/many_paths"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const algebra::Experiment profile = algebra::readExperiment(directory.path() / "run");
    const auto visits = [&](const char* path) {
        return severity(profile, "visits", path, algebra::LocationId(0));
    };
    EXPECT_EQ(visits("many_paths/main"), 1);
    EXPECT_EQ(visits("many_paths/main/run"), 1);
    EXPECT_EQ(visits("many_paths/main/run/first"), 1000);
    EXPECT_LE(visits("many_paths/main/run/enterFrom"), 1000);
    EXPECT_GT(visits("many_paths/main/run/enterFrom"), 100);
}

TEST(RecordedProfile, programThatIsKilled_hasWhatItDidAndSaysWhereItWas) {
    const LoopRun run({"--profile"}, {"1000", "dies"});
    EXPECT_NE(run.result.exitCode, 0);
    EXPECT_THAT(run.result.output, ::testing::HasSubstr("stopped in main / last @loop.c:"));
    const algebra::Experiment profile = run.profile();
    EXPECT_EQ(severity(profile, "visits", "loop/main/even", algebra::LocationId(0)), 500);
    EXPECT_EQ(severity(profile, "visits", "loop/main/last", algebra::LocationId(0)), 1);
    ASSERT_TRUE(profile.files.contains(analyzer::kDiagnosesName));
    EXPECT_THAT(profile.files.at(analyzer::kDiagnosesName),
                ::testing::HasSubstr("stopped in main / last @loop.c:"));
}

TEST(RecordedProfile, copiedToItsFiles_isTheSame) {
    ::setenv("HOLOS_STORAGE", "copied", 1);
    const LoopRun run({"--profile"}, {"1000"});
    ::unsetenv("HOLOS_STORAGE");
    ASSERT_EQ(run.result.exitCode, 0) << run.result.output;
    EXPECT_EQ(severity(run.profile(), "visits", "loop/main/odd/inner", algebra::LocationId(0)), 500);
}

TEST(RecordedProfile, withAFilter_hasNotWhatThatLeavesOut) {
    const TemporaryDirectory other;
    const fs::path filter = other.path() / "some.filter";
    std::ofstream(filter) << "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE inner\nSCOREP_REGION_NAMES_END\n";
    const LoopRun run({"--profile", "--filter", filter}, {"1000"});
    ASSERT_EQ(run.result.exitCode, 0) << run.result.output;
    const algebra::Experiment profile = run.profile();
    EXPECT_EQ(severity(profile, "visits", "loop/main/odd", algebra::LocationId(0)), 500);
    EXPECT_FALSE(callPath(profile, "loop/main/odd/inner"));
}

TEST(RecordedProfile, ofSomeRanks_hasNothingOfTheOthers) {
    const Words launched = launcher(2, "openmpi");
    if (launched.empty()) GTEST_SKIP() << "no launcher of Open MPI";
    const TemporaryDirectory directory;
    const fs::path folder = record(directory.path(), HOLOS_PROGRAMS "/iterations_openmpi", launched,
                                   {"--profile", "--ranks", "1"});
    const algebra::Experiment profile = algebra::readExperiment(folder / "profile.cubex");
    EXPECT_EQ(severityOfRegion(profile, "visits", "MPI_Allreduce", algebra::LocationId(0)), 0);
    EXPECT_EQ(severityOfRegion(profile, "visits", "MPI_Allreduce", algebra::LocationId(1)), 10);
}

/// Ten iterations: of every four two messages above 64 bytes, one below and one without any.
TEST(RecordedProfile, messagesBySize_areCountedByTheirClass) {
    const Words launched = launcher(2, "openmpi");
    if (launched.empty()) GTEST_SKIP() << "no launcher of Open MPI";
    const TemporaryDirectory directory;
    const fs::path folder =
        record(directory.path(), HOLOS_PROGRAMS "/iterations_openmpi", launched, {"--profile"}, {"8"});
    const algebra::Experiment profile = algebra::readExperiment(folder / "profile.cubex");
    for (const auto& [metric, value] : std::map<std::string, double>{{"comms_send", 6},
                                                                     {"syncs_send", 2},
                                                                     {"sends_64", 2},
                                                                     {"sends_1k", 2},
                                                                     {"sends_256k", 2},
                                                                     {"receives_256k", 2},
                                                                     {"sends_16k", 0},
                                                                     {"bytes_sent_64", 16},
                                                                     {"bytes_rcvd_1k", 2048},
                                                                     {"bytes_sent_256k", 200'000},
                                                                     {"bytes_sent", 202'064}})
        EXPECT_EQ(total(profile, metric), value) << metric;
}

TEST(RecordedProfile, secondRunIntoTheFolder_isRefusedWithoutForce) {
    const LoopRun run({"--profile"}, {"10"});
    const auto again = [&](const Words& options) {
        return runCommand(Words{HOLOS_PROGRAM, "record", "-o", run.folder} + options +
                          Words{"--", HOLOS_PROGRAMS "/loop", "20"});
    };
    EXPECT_EQ(again({"--profile"}).exitCode, 1);
    ASSERT_EQ(again({"--profile", "--force"}).exitCode, 0);
    EXPECT_EQ(severity(run.profile(), "visits", "loop/main/even", algebra::LocationId(0)), 10);
}

TEST(RecordedProfile, whatNeedsEvents_isRefusedWithTheReason) {
    for (const Words& options : {Words{"--sample", "10ms"}, Words{"--first", "1s"}, Words{"--phase", "even"},
                                 Words{"--buffer", "10"}, Words{"--counters", "proc_rss"}}) {
        const LoopRun run(Words{"--profile"} + options, {"10"});
        EXPECT_EQ(run.result.exitCode, 2) << run.result.output;
        EXPECT_THAT(run.result.output, ::testing::HasSubstr("--profile"));
        EXPECT_FALSE(fs::exists(run.folder));
    }
}

}  // namespace
}  // namespace holos::testing
