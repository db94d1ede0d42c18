// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/command_test.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCaches = R"(
platform own
describe own "A machine of the test"
registers = 2
aggroup READS  = DC_rd DC_rd_miss
aggroup WRITES = DC_wr DC_wr_miss
aggroup CYC    = Cycle_cnt SI_snoop
compose DATA_ACCESS = DATA_HIT_L1$ + DATA_HIT_L2$
compose DATA_HIT_L1$ = DATA_LOAD_FROM_L1$ + DATA_STORE_INTO_L1$
compute DATA_LOAD_FROM_L1$ = DC_rd - DC_rd_miss
compute DATA_STORE_INTO_L1$ = DC_wr - DC_wr_miss
compose DATA_HIT_L2$ = DC_rd_miss + DC_wr_miss
measure CYCLES = Cycle_cnt
ratio L1_RATE = DATA_HIT_L1$ / DATA_ACCESS minimum 100
)";

class Spec : public CommandTest {
  protected:
    Spec() { std::ofstream(file()) << kCaches; }

    std::string file(const std::string& name = "own.spec") const { return CommandTest::file(name); }
    static CommandResult spec(const std::vector<std::string>& words) {
        return holos(std::vector<std::string>{"spec"} + words);
    }
};

TEST_F(Spec, check_ofACorrectFile_succeeds) {
    const CommandResult result = spec({"check", file(), "linux-software"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("own.spec: no mistakes; 7 definitions, 3 measurement sets"));
}

TEST_F(Spec, check_reportsAllMistakesOfAllFiles) {
    std::ofstream(folder_.path() / "bad.spec") << "mesure A = b\ncompose C = C\n";
    const CommandResult result = spec({"check", file("bad.spec"), file("missing.spec")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, AllOf(HasSubstr("bad.spec:1:1: found 'mesure'"),
                                     HasSubstr("bad.spec:2:1: 'C' is made of itself"),
                                     HasSubstr("missing.spec: there is no such file")));
}

TEST_F(Spec, showOfAChainOfManyMetrics_endsAfterSomeLevels) {
    constexpr int kMetrics = 30'000;
    std::ofstream file(folder_.path() / "chain.spec");
    file << "platform chain\n";
    for (int i = 0; i < kMetrics; ++i) file << "compose M" << i << " = M" << i + 1 << " + E" << i << '\n';
    file << "measure M" << kMetrics << " = minor-faults\n";
    file.close();
    const CommandResult result = spec({"show", this->file("chain.spec")});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, AllOf(HasSubstr("─ M100\n"), HasSubstr("└─ …"), Not(HasSubstr("─ M101\n"))));
}

TEST_F(Spec, showOfAPlatformOfAStudy_saysHowRightItsCountersAre) {
    const CommandResult result = spec({"show", "r10000"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, AllOf(HasSubstr("Accuracy of the counters"),
                                     HasSubstr("TLB_misses: some 6 % more than those of data")));
}

TEST_F(Spec, show_printsTreeAndTables) {
    const CommandResult result = spec({"show", file()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("A machine of the test"));
    EXPECT_THAT(result.output, HasSubstr("  DATA_ACCESS\n"
                                         "  ├─ DATA_HIT_L1$\n"
                                         "  │  ├─ DATA_LOAD_FROM_L1$ = DC_rd - DC_rd_miss\n"
                                         "  │  └─ DATA_STORE_INTO_L1$ = DC_wr - DC_wr_miss\n"
                                         "  └─ DATA_HIT_L2$\n"
                                         "     ├─ DC_rd_miss\n"
                                         "     └─ DC_wr_miss\n"
                                         "  CYCLES = Cycle_cnt\n"));
    EXPECT_THAT(result.output, HasSubstr("L1_RATE = DATA_HIT_L1$ / DATA_ACCESS minimum 100\n"));
    EXPECT_THAT(result.output, HasSubstr("  READS   ~DATA_ACCESS\n"
                                         "          ~DATA_HIT_L2$        + DC_rd_miss\n"
                                         "          DATA_LOAD_FROM_L1$   ≐ DC_rd - DC_rd_miss\n"
                                         "                                 DC_rd\n"));
    EXPECT_THAT(result.output, HasSubstr("  CYC     CYCLES               = Cycle_cnt\n"
                                         "                                 SI_snoop\n"));
}

TEST_F(Spec, sets_listsEvents) {
    EXPECT_THAT(spec({"sets", file()}).output, HasSubstr("WRITES  DC_wr DC_wr_miss\n"));
}

TEST_F(Spec, list_namesThePlatformFiles) {
    const CommandResult result = spec({"list"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, AllOf(HasSubstr("linux-software"), HasSubstr("--spec auto")));
}

TEST_F(Spec, plan_isASpecification) {
    const CommandResult result = spec({"plan", file(), "--want", "DATA_ACCESS,CYCLES"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("# 3 runs, the fewest possible\n"));
    std::ofstream(folder_.path() / "plan.spec") << result.output;
    EXPECT_EQ(spec({"check", file("plan.spec")}).exitCode, 0);
}

TEST_F(Spec, plan_namesWhatItCannotCover) {
    const CommandResult result = spec({"plan", file(), "--want", "DATA_HIT_L1$", "--registers", "1"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("# not covered: DATA_LOAD_FROM_L1$: its terms cannot be counted"));
}

TEST_F(Spec, withoutSubcommand_isWrongUsage) {
    EXPECT_EQ(spec({}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing
