// SPDX-License-Identifier: BSD-3-Clause
// Recorded traces against Scalasca's result for them, one test for each archive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "algebra/files/cubex.h"
#include "analyzer/analyze.h"
#include "analyzer/trace/anchor.h"
#include "tests/conformance/comparison.h"
#include "tests/support/command.h"
#include "tests/support/equal_experiments.h"
#include "tests/support/event_log.h"
#include "tests/support/lawful.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace {

namespace fs = std::filesystem;
using namespace holos;

/// Metrics that are not compared, as a regular expression: docs/differences.md says why.
std::string notCompared(const std::string& archive) {
    if (archive == "syn-omp-tasks")
        return "delay.*|critical_.*|.*performance_impact.*|non_critical.*|int.*_partition.*";
    if (archive == "comd-comp")
        return "critical_path_activities|critical_imb.*|performance_impact.*|non_critical.*|int.*_partition."
               "*";
    if (archive == "syn-nbcoll")
        return "mpi_(sync.*|barrier_wait|comm.*|point2point|collective|wait_nxn|latebroadcast)|syncs.*|"
               "comms.*|bytes.*|delay.*|critical_.*|.*performance_impact.*|non_critical.*|int.*_partition.*";
    if (archive == "syn-recoff" || archive == "syn-metrics")
        return "time|execution|comp|imbalance.*|delay.*|mpi_wait_(direct|indirect|propagating|terminal).*|"
               "critical_.*|.*performance_impact.*|non_critical.*|int.*_partition.*";
    if (archive == "syn-anysource")  // whose polls are waiting
        return "mpi_wait_(direct|terminal).*|waitstates_.*|critical_path_imbalance";
    if (archive == "syn-omp-lock") return "critical_path_imbalance";  // its tests of locks are waiting
    if (archive == "syn-rma") return "mpi_rma.*|bytes.*|critical_path_imbalance";
    return "";
}

/// Of the report of Scalasca's analyzer, before its time of idle threads is added.
std::string rawNotCompared(const algebra::Experiment& experiment) {
    return experiment.findMetric("omp_time") ? "time" : "";
}

/// As `notCompared`, of the result with corrected clocks.
std::string correctedNotCompared(const std::string& archive) {
    if (archive == "npb-mg") return "critical_.*|non_critical.*|delay_n2n";
    if (archive == "syn-rand-coll-1") return "time|critical_path.*|non_critical.*";
    return "";
}

/// By location: how many call paths have a performance impact.
std::vector<std::size_t> pathsWithImpact(const algebra::Experiment& experiment) {
    std::vector<std::size_t> paths(experiment.system.locations.size(), 0);
    for (std::size_t location = 0; location < paths.size(); ++location)
        for (const auto path : experiment.callTree.ids()) {
            double impact = 0;
            for (const char* name : {"critical_path_activities", "non_critical_path_activities"})
                impact += experiment.severities.table(*experiment.findMetric(name))
                              .at(path, algebra::LocationId(location));
            if (impact > 0) ++paths[location];
        }
    return paths;
}

fs::path completeCollection() {
    if (const char* chosen = std::getenv("HOLOS_CONFORMANCE_DIR")) return chosen;
    return fs::path(HOLOS_SOURCE_DIR) / ".." / "shared" / "conformance";
}

void addArchives(const fs::path& folder, std::map<std::string, fs::path>& archives) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string file = entry.path().filename().string();
        const auto end = file.rfind(".tar.xz");
        if (end != std::string::npos) archives.emplace(file.substr(0, end), entry.path());
    }
}

std::vector<std::pair<std::string, fs::path>> archives() {
    std::map<std::string, fs::path> found;
    addArchives(fs::path(HOLOS_SOURCE_DIR) / "tests/conformance/archives", found);
    addArchives(completeCollection(), found);
    return {found.begin(), found.end()};
}

class Conformance : public ::testing::TestWithParam<std::pair<std::string, fs::path>> {
  protected:
    void SetUp() override {
        const auto unpacked =
            holos::testing::runCommand({HOLOS_CMAKE, "-E", "chdir", directory_.path().string(), HOLOS_CMAKE,
                                        "-E", "tar", "xf", fs::absolute(GetParam().second).string()});
        ASSERT_EQ(unpacked.exitCode, 0) << unpacked.output;
    }
    fs::path archive() const { return directory_.path() / GetParam().first; }

  private:
    holos::testing::TemporaryDirectory directory_;
};

/// The number behind "# violated" in the log of Scalasca's analyzer.
std::uint64_t violationsInLog(const fs::path& log) {
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);)
        if (line.find("# violated") != std::string::npos) return std::stoull(line.substr(line.find(':') + 1));
    throw std::runtime_error(log.string() + " has no number of violations");
}

TEST_P(Conformance, recordedTrace_analyzed_equalsScalasca) {
    analyzer::AnalysisOptions options;
    options.threads = 2;
    options.causesAsScalasca = true;
    const analyzer::AnalysisResult result = analyzer::analyze(archive(), options);
    EXPECT_FALSE(result.experiment.callTree.empty());
    EXPECT_THAT(holos::testing::differencesOfReaders(analyzer::trace::findAnchor(archive())),
                ::testing::IsEmpty());
    if (!fs::exists(archive() / "trace.cubex")) return;  // Scalasca ends on it; that we do not is the test
    const algebra::Experiment expected = algebra::readCubex(archive() / "trace.cubex");
    EXPECT_THAT(holos::testing::differences(expected, result.experiment, notCompared(GetParam().first)),
                ::testing::IsEmpty());
    const algebra::Experiment raw = algebra::readCubex(archive() / "scout.cubex");
    EXPECT_THAT(
        holos::testing::differences(raw, result.experiment,
                                    notCompared(GetParam().first) + "|" + rawNotCompared(result.experiment)),
        ::testing::IsEmpty());
    EXPECT_EQ(holos::testing::callPathNames(expected).size(), result.statistics.callPaths);
    // The recorded clocks are not perfect, and parameters of calls become no metric.
    for (const analyzer::Diagnosis& diagnosis : result.diagnoses)
        EXPECT_TRUE(diagnosis.trouble == analyzer::Trouble::ClockViolation ||
                    diagnosis.trouble == analyzer::Trouble::NotAnalyzed)
            << analyzer::diagnosisText(diagnosis);
}

/// Scalasca's profile of a run has room for 128 call paths of each location. Ours has all of them.
TEST_P(Conformance, runOfManyCallPaths_noneIsForgotten) {
    if (GetParam().first != "comd-comp") return;
    EXPECT_THAT(pathsWithImpact(algebra::readCubex(archive() / "scout.cubex")), ::testing::Each(128U));
    EXPECT_THAT(pathsWithImpact(analyzer::analyze(archive()).experiment),
                ::testing::ElementsAre(227U, 215U, 215U, 215U));
}

/// Scalasca's result with `--time-correct`, as it comes from its analyzer.
TEST_P(Conformance, correctedClocks_equalScalasca) {
    if (!fs::exists(archive() / "scout-tc.cubex")) return;  // few have one
    analyzer::AnalysisOptions options;
    options.threads = 2;
    options.causesAsScalasca = true;
    options.correctClocks.emplace();
    const analyzer::AnalysisResult result = analyzer::analyze(archive(), options);
    EXPECT_EQ(result.statistics.clockViolations, violationsInLog(archive() / "scout-tc.log"));
    const std::string ignored =
        correctedNotCompared(GetParam().first) + "|" + rawNotCompared(result.experiment);
    EXPECT_THAT(holos::testing::differences(algebra::readCubex(archive() / "scout-tc.cubex"),
                                            result.experiment, ignored),
                ::testing::IsEmpty());
}

TEST_P(Conformance, readByThreeRanks_sameResultBitForBit) {
    const analyzer::AnalysisResult alone = analyzer::analyze(archive());
    analyzer::AnalysisOptions options;
    options.threads = 2;
    const analyzer::AnalysisResult shared = holos::testing::analyzeByRanks(3, archive(), options);
    holos::testing::expectEqual(shared.experiment, alone.experiment);
    EXPECT_EQ(shared.experiment.files, alone.experiment.files);
}

/// Where the metrics below one of MPI's times are more than it, in words. The two kinds of wrong order are
/// left out: as in Scalasca, they may be booked at another call path than their sum.
std::vector<std::string> excesses(const algebra::Experiment& experiment) {
    constexpr double kTolerance = 1e-9;
    std::vector<std::string> found;
    for (const auto metric : experiment.metrics.ids()) {
        const std::string& name = experiment.metrics[metric].uniqueName;
        if (!name.starts_with("mpi") || name == "mpi_latesender_wo" ||
            experiment.metrics[metric].unit != "sec")
            continue;
        for (const auto path : experiment.callTree.ids())
            for (std::size_t i = 0; i < experiment.system.locations.size(); ++i) {
                const auto at = [&](algebra::MetricId id) {
                    return experiment.severities.table(id).at(path, algebra::LocationId(i));
                };
                double parts = 0;
                for (const auto child : experiment.metrics.children(metric)) parts += at(child);
                if (at(metric) < -kTolerance || parts > at(metric) + kTolerance)
                    found.push_back(name + " at " + experiment.regionOf(path).name + ", location " +
                                    std::to_string(i));
            }
    }
    return found;
}

TEST_P(Conformance, waitsInMpi_areWithinTheTimeOfTheirCalls) {
    EXPECT_THAT(excesses(analyzer::analyze(archive()).experiment), ::testing::IsEmpty());
}

TEST_P(Conformance, results_obeyTheLaws) {
    EXPECT_EQ(holos::testing::brokenLaws(analyzer::analyze(archive()).experiment), "");
}

/// Of the time that others waited nobody is to blame for more than all of it.
TEST_P(Conformance, delays_areNoMoreThanTheWaits) {
    const algebra::Experiment experiment = analyzer::analyze(archive()).experiment;
    const auto expectWithin = [&](const char* delays, std::initializer_list<const char*> waits) {
        double waited = 0;
        for (const char* wait : waits) waited += holos::testing::total(experiment, wait);
        EXPECT_LE(holos::testing::total(experiment, delays), waited + 1e-9) << delays;
    };
    expectWithin("delay_p2p", {"mpi_latesender", "mpi_latesender_polling", "mpi_latereceiver",
                               "mpi_latereceiver_polling", "mpi_buffer_detach_wait", "mpi_lateprogress"});
    expectWithin("delay_collective",
                 {"mpi_barrier_wait", "mpi_wait_nxn", "mpi_latebroadcast", "mpi_earlyreduce", "mpi_earlyscan",
                  "mpi_barrier_polling", "mpi_collective_polling"});
    expectWithin("delay_finalize_aggregate", {"mpi_finalize_wait"});
    expectWithin("delay_ompbarrier_aggregate", {"omp_ebarrier_wait", "omp_ibarrier_wait"});
    expectWithin("delay_omp_lock_aggregate",
                 {"omp_lock_contention_critical", "omp_lock_contention_api", "omp_lock_contention_polling"});
    expectWithin("delay_pthread_lock_aggregate",
                 {"pthread_lock_contention_mutex_lock", "pthread_lock_contention_polling"});
    expectWithin("delay_pthread_condition_aggregate",
                 {"pthread_lock_contention_conditional", "pthread_condition_signal_wait"});
}

INSTANTIATE_TEST_SUITE_P(Archives, Conformance, ::testing::ValuesIn(archives()), [](const auto& archive) {
    std::string name = archive.param.first;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(ConformanceCollection, completeOne_besideTheCheckout_isUsed) {
    if (!fs::exists(completeCollection()))
        GTEST_SKIP() << "only the selection in tests/conformance/archives was compared; the complete "
                        "collection is not at "
                     << completeCollection();
    EXPECT_GE(archives().size(), 49U);
}

}  // namespace
