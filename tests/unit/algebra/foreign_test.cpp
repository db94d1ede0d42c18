// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/algebra/foreign_fixture.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;

const std::string kPerf =
    "# ========\n"
    "solver  47/48 [001]  12.345678:     250000 cpu-clock:u: \n"
    "\t          4011d6 dot(double, int)+0x16 (/home/me/solver)\n"
    "\t          401300 main+0x40 (/home/me/solver)\n"
    "\n"
    "my solver  47 12.345678:  3 cache-misses: \n"
    "\t          401300 main+0x40 (/home/me/solver)\n"
    "\n";

const std::string kCallgrind =
    "# callgrind format\nversion: 1\ncmd: ./a.out\npositions: line\nevents: Ir Dr\n\n"
    "ob=(1) /bin/a.out\nfl=(1) a.c\nfn=(1) main\n16 20 1\ncfn=(2) work\ncalls=1 50\n16 400 9\n+1 5\n\n"
    "fn=(2)\n50 300\n* 100 9\n";

const std::string kTau =
    "4 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n"
    "\".TAU application\" 1 2 1000000 5000000 0 GROUP=\"TAU_DEFAULT\"\n"
    "\"solve C [{a.c} {3,1}-{9,1}]\" 2 0 4000000 4000000 0 GROUP=\"TAU_USER\"\n"
    "\".TAU application => solve C [{a.c} {3,1}-{9,1}]\" 2 0 4000000 4000000 0 "
    "GROUP=\"TAU_USER|TAU_CALLPATH\"\n"
    "\"MPI_Recv()\" 3 0 500000 500000 0 GROUP=\"MPI\"\n"
    "0 aggregates\n1 userevents\n# eventname numevents max min mean sumsqr\n\"Message size\" 4 800 8 400 "
    "1e6\n";

class ForeignFiles : public ForeignFixture {};

TEST_F(ForeignFiles, foldedStacks_areSamplesByCallPath) {
    const Experiment experiment = read("a.folded", "main;solve;dot 42\nmain;solve 3\nmain;solve;dot 8\n");
    EXPECT_EQ(experiment.callTree.size(), 3U);
    EXPECT_EQ(at(experiment, "samples", "main/solve/dot"), 50);
    EXPECT_EQ(at(experiment, "samples", "main/solve"), 3);
    EXPECT_EQ(at(experiment, "samples", "main"), 0);
}

TEST_F(ForeignFiles, perfScript_hasSamplesAndPeriodsByThread) {
    const Experiment experiment = read("perf.txt", kPerf);
    EXPECT_EQ(total(experiment, "samples"), 2);
    EXPECT_DOUBLE_EQ(at(experiment, "on_processors", "main/dot(double, int)"), 0.00025);
    EXPECT_EQ(at(experiment, "cache-misses", "main"), 3);
    EXPECT_EQ(experiment.system.locations.size(), 2U);
    EXPECT_EQ(experiment.system.processes.size(), 1U);
    EXPECT_EQ(experiment.regionOf(CallPathId(0)).module, "/home/me/solver");
}

TEST_F(ForeignFiles, perfScriptWithoutCallGraphs_hasASampleInEachLine) {
    const Experiment experiment = read("perf.txt",
                                       "a.out 47 1.5: 250000 cpu-clock: 4011d6 dot+0x16 (/bin/a.out)\n"
                                       "a.out 47 1.6: 250000 cpu-clock: 4011d6 dot+0x16 (/bin/a.out)\n"
                                       "a.out 48 1.7: 250000 cpu-clock: 401300 main+0x4 (/bin/a.out)\n");
    EXPECT_EQ(experiment.callTree.size(), 2U);
    EXPECT_EQ(at(experiment, "samples", "dot"), 2);
    EXPECT_EQ(at(experiment, "samples", "main"), 1);
}

TEST_F(ForeignFiles, filesThatWereCutOff_areErrors) {
    EXPECT_THAT(failureOf("perf.txt", kPerf.substr(0, kPerf.size() - 40)),
                HasSubstr("ends within the stack"));
    std::string promising = kCallgrind;
    promising.insert(promising.find("\nob="), "summary: 425 10\n");
    EXPECT_EQ(at(read("c.out", promising), "Ir", "work"), 400);
    EXPECT_THAT(failureOf("c.out", promising.substr(0, promising.find("fn=(2)\n50"))),
                HasSubstr("ends before all costs"));
}

TEST_F(ForeignFiles, callgrind_hasOwnCostsOfFunctions_notThoseOfTheirCalls) {
    const Experiment experiment = read("callgrind.out.1", kCallgrind);
    EXPECT_EQ(at(experiment, "Ir", "main"), 25);
    EXPECT_EQ(at(experiment, "Dr", "main"), 1);
    EXPECT_EQ(at(experiment, "Ir", "work"), 400);
    EXPECT_EQ(at(experiment, "Dr", "work"), 9);
}

TEST_F(ForeignFiles, tauProfiles_ofAFolder_areOneExperiment) {
    write("tau/profile.0.0.0", kTau);
    write("tau/profile.1.0.0", kTau);
    const Experiment experiment = readExperiment(folder_.path() / "tau");
    EXPECT_EQ(experiment.system.processes.size(), 2U);
    EXPECT_DOUBLE_EQ(total(experiment, "time"), 11.0);
    EXPECT_DOUBLE_EQ(at(experiment, "time", ".TAU application/solve"), 8.0);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "MPI_Recv"), 6.0);
    EXPECT_DOUBLE_EQ(total(experiment, "Message size: sum"), 3200);
}

TEST_F(ForeignFiles, tauProfiles_ofSeveralMetrics_areOneExperiment) {
    std::string counted = kTau;
    counted.replace(counted.find("TIME"), 4, "PAPI_TOT_INS");
    write("tau/MULTI__TIME/profile.0.0.0", kTau);
    write("tau/MULTI__PAPI_TOT_INS/profile.0.0.0", counted);
    const Experiment experiment = readExperiment(folder_.path() / "tau");
    EXPECT_DOUBLE_EQ(total(experiment, "time"), 5.5);
    EXPECT_DOUBLE_EQ(total(experiment, "PAPI_TOT_INS"), 5.5e6);
    EXPECT_DOUBLE_EQ(total(experiment, "visits"), 6);
}

TEST_F(ForeignFiles, whatIsWrong_isSaidWithItsLine) {
    EXPECT_THAT(failureOf("a.folded", "main;f 1\nmain;g\n"), HasSubstr("a.folded:2: is no folded stack"));
    EXPECT_THAT(failureOf("perf.txt", kPerf + "nonsense\n"), HasSubstr("perf.txt:9: is no line of a sample"));
    EXPECT_THAT(failureOf("c.out", kCallgrind + "fn=(7)\n"),
                HasSubstr("c.out:19: a name that was not given before"));
    EXPECT_THAT(failureOf("profile.0.0.0", kTau.substr(0, kTau.find("0 aggregates") - 20)),
                HasSubstr("profile.0.0.0:6: "));
}

TEST_F(ForeignFiles, damagedOnes_areErrors_orFewerValues) {
    for (const std::string& whole : {kPerf, kCallgrind, kTau, std::string("main;solve;dot 42\nmain 3\n")})
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
            failureOf("profile.0.0.0", damaged);
            failureOf("profile.0.0.0", whole.substr(0, at));
        }
}

}  // namespace
}  // namespace holos::algebra
