// SPDX-License-Identifier: BSD-3-Clause
// holos score: how large a trace is, and the filter for a smaller one.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "algebra/files/experiment_file.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ScoreCommand : public CommandTest {
  protected:
    ScoreCommand() {
        TraceBuilder trace(2);
        for (unsigned rank = 0; rank < 2; ++rank) {
            auto& location = trace.on(rank);
            for (unsigned i = 0; i < 300; ++i) location.enter(10 * i, "tiny step").leave(10 * i + 1);
            location.barrier(4000, 4010);
        }
        trace.write(folder_.path());
    }
    std::string trace() const { return folder_.path().string(); }
};

TEST_F(ScoreCommand, ofATrace_saysBytesByKindAndRegion) {
    const auto result = holos({"score", trace()});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("2 processes"), HasSubstr("size of its files"), HasSubstr("\nUSR"),
                      HasSubstr("  tiny step\n"), HasSubstr("  MPI_Barrier\n"), HasSubstr("--buffer")));
}

TEST_F(ScoreCommand, ofItsExperiment_saysNearlyTheSame) {
    const std::string cubex = file("analysis.cubex");
    ASSERT_EQ(holos({"analyze", trace(), "-o", cubex}).exitCode, 0);
    const auto bytesOf = [&](const std::string& name) {
        const auto json = nlohmann::json::parse(holos({"score", name, "--format", "json"}).output);
        return json["kinds"]["ALL"]["trace_bytes"].get<double>();
    };
    const double bytes = bytesOf(trace());
    EXPECT_NEAR(bytesOf(cubex), bytes, 0.1 * bytes);
}

TEST_F(ScoreCommand, callsThatMayFindNothing_areNamedWhereTheyAreMany) {
    EXPECT_THAT(holos({"score", trace()}).output, ::testing::Not(HasSubstr("Polls")));
    const TemporaryDirectory other;
    TraceBuilder polling(1);
    polling.on(0).enter(0, "main");
    for (unsigned i = 1; i <= 50; ++i) polling.on(0).call(10 * i, 10 * i + 1, "MPI_Testany");
    polling.on(0).call(600, 601, "MPI_Test_cancelled").leave(700);
    polling.write(other.path());
    EXPECT_THAT(
        holos({"score", other.path().string()}).output,
        AllOf(HasSubstr("Polls       96.2 % of the visits"), HasSubstr("find nothing: MPI_Testany.")));
}

TEST_F(ScoreCommand, csv_hasALineForEachKindAndRegion) {
    EXPECT_THAT(holos({"score", trace(), "--format", "csv"}).output,
                AllOf(StartsWith("kind,region,trace_bytes,recording_bytes,visits,time\nALL,,"),
                      HasSubstr("\nUSR,tiny step,")));
}

TEST_F(ScoreCommand, withALimit_printsTheFilterOrWritesIt) {
    const std::string rule = "  EXCLUDE tiny\\ step\n";
    EXPECT_THAT(holos({"score", trace(), "--max", "1K"}).output, HasSubstr(rule));
    const std::string filter = file("small.filter");
    EXPECT_THAT(holos({"score", trace(), "--max", "1K", "-o", filter}).output,
                AllOf(HasSubstr("--max is 1.0 KB"), HasSubstr(filter)));
    EXPECT_THAT(contentOf(filter), HasSubstr(rule));
}

TEST_F(ScoreCommand, limitThatNoFilterReaches_saysWhatIsLeft) {
    const auto result = holos({"score", trace(), "--max", "10"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("No filter brings the trace below 10 B"), HasSubstr("--first")));
}

TEST_F(ScoreCommand, filterFileWithoutALimit_isWrongUsage) {
    const auto result = holos({"score", trace(), "-o", file("small.filter")});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.output, HasSubstr("--max"));
}

TEST_F(ScoreCommand, filterOfTheFileThatIsRead_isRefused) {
    const std::string cubex = file("analysis.cubex");
    ASSERT_EQ(holos({"analyze", trace(), "-o", cubex}).exitCode, 0);
    const std::string before = contentOf(cubex);
    EXPECT_EQ(holos({"score", cubex, "--max", "1K", "-o", cubex}).exitCode, 2);
    EXPECT_EQ(contentOf(cubex), before);
}

TEST_F(ScoreCommand, experimentWithoutVisits_isNamedAndRefused) {
    const std::string counts = file("counts.cubex");
    algebra::writeExperiment(SmallExperiment().counter("faults", {{"main", {1, 2}}}).take(), counts);
    const auto result = holos({"score", counts});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, AllOf(HasSubstr("counts.cubex"), HasSubstr("visits")));
}

TEST_F(ScoreCommand, whatIsNoTrace_isSaid) {
    EXPECT_EQ(holos({"score", file("missing.cubex")}).exitCode, 1);
    EXPECT_EQ(holos({"score", trace(), "--max", "much"}).exitCode, 2);
    EXPECT_EQ(holos({"score", trace(), "--format", "xml"}).exitCode, 2);
    std::ofstream(file("noise.cubex")) << std::string(1000, '\xff');
    EXPECT_EQ(holos({"score", file("noise.cubex")}).exitCode, 1);
}

}  // namespace
}  // namespace holos::testing
