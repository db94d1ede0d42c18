// SPDX-License-Identifier: BSD-3-Clause
// Recorded traces: sums over single calls, messages and waits are what the analysis says.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "algebra/files/cubex.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "analyzer/analyze.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/query/query_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

class RecordedQuery : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const fs::path archive =
            fs::path(HOLOS_SOURCE_DIR) / "tests/conformance/archives" / (GetParam() + ".tar.xz");
        const auto unpacked = runCommand({HOLOS_CMAKE, "-E", "chdir", folder_.path().string(), HOLOS_CMAKE,
                                          "-E", "tar", "xf", archive.string()});
        ASSERT_EQ(unpacked.exitCode, 0) << unpacked.output;
        run_ = folder_.path() / GetParam();
        analyzer::AnalysisOptions options;
        options.causes = false;
        experiment_ = analyzer::analyze(run_, options).experiment;
        algebra::writeCubex(experiment_, run_ / "analysis.cubex");
    }

    double total(const std::string& metric, algebra::Extent extent = algebra::Extent::Inclusive) const {
        const auto found = experiment_.findMetric(metric);
        return found ? algebra::aggregate(experiment_, {*found, extent}) : 0;
    }
    /// Text keys and the number behind the last blank.
    std::map<std::string, double> numbers(const std::string& statement) const {
        std::map<std::string, double> all;
        for (const std::string& row : answerOf(run_ / "analysis.cubex", statement)) {
            const auto cut = row.rfind(' ');
            all[cut == std::string::npos ? "" : row.substr(0, cut)] = std::stod(row.substr(cut + 1));
        }
        return all;
    }

    TemporaryDirectory folder_;
    fs::path run_;
    algebra::Experiment experiment_;
};

TEST_P(RecordedQuery, callsOfEachPathAndThread_areItsVisits) {
    const auto calls = numbers("SELECT location, call_path, sum(count) FROM calls GROUP BY 1, 2");
    const auto visits = numbers("SELECT location, call_path, value FROM severities WHERE metric = 'visits'");
    for (const auto& [key, count] : calls) {
        const auto known = visits.find(key);
        ASSERT_NE(known, visits.end()) << key;
        EXPECT_EQ(count, known->second) << key;
    }
    // Only the program itself is called by nobody.
    for (const auto& [key, visited] : visits)
        EXPECT_TRUE(calls.contains(key) || key.find('/') == std::string::npos) << key;
}

TEST_P(RecordedQuery, messages_areThoseThatTheAnalysisCounts) {
    const auto sums = numbers(
        "SELECT 'messages', count(*) FROM messages WHERE bytes > 0 UNION ALL "
        "SELECT 'late', total(late_sender) FROM messages");
    EXPECT_EQ(sums.at("messages"), total("comms_send"));
    EXPECT_NEAR(sums.at("late"), total("mpi_latesender"), 1e-6 * (1 + sums.at("late")));
}

TEST_P(RecordedQuery, waits_addUpToTheirMetrics) {
    for (const auto& [kind, sum] : numbers("SELECT kind, sum(duration) FROM waits GROUP BY 1"))
        EXPECT_NEAR(sum, total(kind), 1e-5 * (1 + sum)) << kind;
}

TEST_P(RecordedQuery, severities_areThoseOfTheExperiment) {
    const auto sums =
        numbers("SELECT metric, sum(value) FROM severities WHERE metric IN ('time', 'visits') GROUP BY 1");
    EXPECT_NEAR(sums.at("time"), total("time"), 1e-5 * total("time"));
    EXPECT_EQ(sums.at("visits"), total("visits"));
}

INSTANTIATE_TEST_SUITE_P(Archives, RecordedQuery,
                         ::testing::Values("holos-p2p", "holos-hyb", "syn-nonblock", "syn-rand-p2p-1",
                                           "syn-subcomm"),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace holos::testing
