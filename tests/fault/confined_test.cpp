// SPDX-License-Identifier: BSD-3-Clause
// Programs that forbid themselves system calls, or clocks (`confined_program.c`), end as without the
// recorder, and nothing that they did is forgotten.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kCannot = 77;
constexpr long kBefore = 10;  ///< regions

struct Way {
    const char* name;
    const char* storage;
    std::vector<std::string> options = {};
};

class Confined : public ::testing::TestWithParam<Way> {
  protected:
    void TearDown() override {
        if (::testing::Test::HasFailure()) std::fputs(output_.c_str(), stderr);
    }
    /// False where the program cannot confine itself here.
    bool record(const std::string& way, long regions) {
        const std::vector<std::string> program{CONFINED_PROGRAM, way, std::to_string(regions)};
        const auto plain = runCommand(program);
        if (plain.exitCode == kCannot || plain.output.empty()) return false;
        const auto recorded =
            runCommand(std::vector<std::string>{"env", std::string("HOLOS_STORAGE=") + GetParam().storage,
                                                HOLOS_PROGRAM, "record", "-o", trace()} +
                       GetParam().options + std::vector<std::string>{"--"} + program);
        output_ = recorded.output;
        EXPECT_EQ(recorded.exitCode, plain.exitCode);
        EXPECT_EQ(output_.substr(0, plain.output.size()), plain.output);
        return true;
    }
    std::filesystem::path trace() const { return directory_.path() / "trace"; }
    nlohmann::json measurement() const {
        std::ifstream file(trace() / "measurement.json");
        return nlohmann::json::parse(file);
    }
    long lost() const { return measurement()["lostEvents"].get<long>(); }
    bool isTraced() const { return std::filesystem::exists(trace() / "traces.otf2"); }
    long recorded() const {
        const auto events = readBack(trace() / "traces.otf2");
        return std::count_if(events.begin(), events.end(),
                             [&](const std::string& line) { return line.ends_with(" work"); });
    }
    /// Of so many regions after the first ones. The last event that had room may be an enter: its leave is
    /// lost, and the trace tells one all the same.
    void expectNoneForgotten(long regions) const {
        if (!isTraced()) return;
        EXPECT_GE(recorded() + lost(), 2 * (kBefore + regions));
        EXPECT_LE(recorded() + lost(), 2 * (kBefore + regions) + 1);
    }
    std::string notes() const { return measurement()["notes"].dump(); }

    TemporaryDirectory directory_;
    std::string output_;
};

#define RECORD_OR_SKIP(way, regions) \
    if (!record(way, regions)) GTEST_SKIP() << "the program cannot confine itself so here"

TEST_P(Confined, withoutTheProcessorsClock_isRecordedByTheKernels) {
    RECORD_OR_SKIP("no clock", 1'000);
    EXPECT_EQ(lost(), 0);
    expectNoneForgotten(1'000);
}

TEST_P(Confined, strictly_isRecordedUntilThen) {
    for (const char* const way : {"strict", "strict by number"}) {
        std::filesystem::remove_all(trace());
        RECORD_OR_SKIP(way, 1'000);
        EXPECT_EQ(lost(), 2'000);
        expectNoneForgotten(1'000);
        EXPECT_THAT(notes(), HasSubstr("forbade it all system calls"));
    }
}

TEST_P(Confined, strictlyInOneThread_isRecordedInTheOthers) {
    RECORD_OR_SKIP("beside", 20'000);
    EXPECT_EQ(lost(), 40'000);
    expectNoneForgotten(40'000);
}

TEST_P(Confined, strictlyInAChild_isRecordedInTheParent) {
    RECORD_OR_SKIP("child", 1'000);
    EXPECT_EQ(lost(), 0);
    expectNoneForgotten(1'000);
}

TEST_P(Confined, toFewCalls_isRecordedAsLongAsThereIsRoom) {
    RECORD_OR_SKIP("few calls", 1'000);
    EXPECT_EQ(lost(), 0);
    expectNoneForgotten(1'000);
    EXPECT_THAT(notes(), HasSubstr("recorded without system calls"));
}

/// To ask whether all could be forbidden forbids nothing.
TEST_P(Confined, toFewCallsOnceItHasAsked_isNotSaidToHaveStopped) {
    RECORD_OR_SKIP("few calls as asked", 1'000);
    EXPECT_EQ(lost(), 0);
    expectNoneForgotten(1'000);
    EXPECT_THAT(notes(), HasSubstr("recorded without system calls"));
    EXPECT_THAT(notes(), Not(HasSubstr("forbade it all system calls")));
}

TEST_P(Confined, toFewCalls_saysWhatIsMissing) {
    RECORD_OR_SKIP("few calls", 200'000);
    if (isTraced()) {
        EXPECT_GT(lost(), 0);
    }
    expectNoneForgotten(200'000);
}

/// Where events are copied, the thread that does so is forbidden, too: that the recording stopped is said,
/// but nobody can write how much is missing.
TEST_P(Confined, inAllThreads_endsInOrder) {
    RECORD_OR_SKIP("all few calls", 1'000);
    EXPECT_THAT(notes(), HasSubstr("recorded without system calls"));
    if (std::string_view(GetParam().storage) == "copied") {
        EXPECT_THAT(output_, HasSubstr("could not record to the end"));
        EXPECT_TRUE(measurement()["lostEvents"].is_null());
    } else {
        expectNoneForgotten(1'000);
    }
}

/// The last half second of copies may be missing.
TEST_P(Confined, byAnInstructionOfItsOwn_ends) {
    RECORD_OR_SKIP("unseen", 200'000);
    if (std::string_view(GetParam().storage) == "mapped") expectNoneForgotten(200'000);
}

using Promising = Confined;

TEST_P(Promising, withNoFilterAndNoInstructionOfItsOwn_isWhole) {
    const auto result = runCommand(
        {HOLOS_PROGRAM, "record", "-o", trace(), "--", PROMISING_PROGRAM, "only promises", "50000"});
    output_ = result.output;
    if (result.exitCode == kCannot) GTEST_SKIP() << "the program cannot promise anything here";
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_EQ(lost(), 0);
    EXPECT_EQ(notes(), "[]");
    expectNoneForgotten(50'000);
}

INSTANTIATE_TEST_SUITE_P(Kept, Confined,
                         ::testing::Values(Way{"mapped", "mapped"}, Way{"copied", "copied"},
                                           Way{"writtenBack", "mapped", {"--write-back", "1h"}},
                                           Way{"counted", "mapped", {"--counters", "task-clock"}},
                                           Way{"sampled", "mapped", {"--sample", "1ms"}},
                                           Way{"addedUp", "mapped", {"--profile"}}),
                         [](const auto& way) { return way.param.name; });
INSTANTIATE_TEST_SUITE_P(Kept, Promising, ::testing::Values(Way{"mapped", "mapped"}),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace holos::testing
