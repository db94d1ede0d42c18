// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <initializer_list>

#include "algebra/files/foreign/foreign.h"
#include "algebra/files/packed/compression.h"
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

/// A packed profile of TAU: one thread, two metrics, `main` of which `solve` takes most.
class PackedTau {
  public:
    static std::string file() {
        PackedTau packed;
        packed.bytes_ = kPackedTau;
        packed.numbers({2, 1, 8, 0}).numbers({1}).texts({"Starting Timestamp", "17"});
        packed.numbers({1, 3, 0, 1, 1}).texts({"pid", "47"});  // metadata of a thread
        packed.numbers({2}).texts({"TIME", "PAPI_TOT_INS"});
        packed.numbers({2}).texts({"TAU_USER", "TAU_CALLPATH"});
        packed.numbers({4}).texts({"main"}).numbers({1, 0}).texts({"solve "}).numbers({1, 0});
        packed.texts({"main  => solve "}).numbers({2, 0, 1}).texts({"main => [SAMPLE] dot"}).numbers({0});
        packed.numbers({2}).texts({"Message size", "Message size : main"});
        packed.numbers({1, 3, 0, 1, 4});  // threads, and the timers of this one
        packed.numbers({0}).values({1, 1, 1e6, 5e6, 10, 50});
        packed.numbers({1}).values({3, 0, 5e6, 5e6, 60, 60});
        packed.numbers({2}).values({2, 0, 4e6, 4e6, 40, 40});
        packed.numbers({3}).values({1, 0, 3e6, 3e6, 0, 0});
        packed.numbers({2, 0, 4}).values({100, 500, 300, 1e6});
        packed.numbers({1, 4}).values({100, 500, 300, 1e6});
        return packed.bytes_;
    }

  private:
    PackedTau& bits(std::uint64_t bits, int bytes) {
        for (int at = bytes - 1; at >= 0; --at) bytes_ += static_cast<char>(bits >> (8 * at) & 0xFF);
        return *this;
    }
    PackedTau& numbers(std::initializer_list<std::uint32_t> all) {
        for (const std::uint32_t number : all) bits(number, 4);
        return *this;
    }
    PackedTau& texts(std::initializer_list<std::string> all) {
        for (const std::string& text : all) {
            bits(text.size(), 2);
            bytes_ += text;
        }
        return *this;
    }
    PackedTau& values(std::initializer_list<double> all) {
        for (const double value : all) bits(std::bit_cast<std::uint64_t>(value), 8);
        return *this;
    }

    std::string bytes_;
};

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

/// The program itself may come first, which nothing calls.
TEST_F(ForeignFiles, foldedStacks_areKnownByAnyOfThem) {
    const Experiment experiment = read("a.folded", "main 4\nother 1\nmain;solve 3\n");
    EXPECT_EQ(at(experiment, "samples", "main"), 4);
    EXPECT_EQ(at(experiment, "samples", "main/solve"), 3);
    EXPECT_THAT(failureOf("words.txt", "height 4\nwidth 3\n"), HasSubstr("is not an experiment"));
    EXPECT_THAT(failureOf("words.txt", "height 4\nno number\nmain;solve 3\n"),
                HasSubstr("is not an experiment"));
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

/// What `--separate-threads` and several dumps into one file give: summaries of which a little is elsewhere.
TEST_F(ForeignFiles, callgrindWithTotals_isWholeWhereTheseAreReached) {
    std::string part = kCallgrind + "\ntotals: 425 10\n";
    part.insert(part.find("\nob="), "summary: 427 12\n");
    EXPECT_EQ(at(read("c.out", part), "Ir", "work"), 400);
    EXPECT_EQ(at(read("c.out", part + part), "Ir", "work"), 800);
    EXPECT_THAT(failureOf("c.out", part + part.substr(0, part.find("fn=(2)\n50"))),
                HasSubstr("ends before all costs"));
    std::string lacking = part;
    lacking.erase(lacking.find("50 300\n"), 7);
    EXPECT_THAT(failureOf("c.out", lacking), HasSubstr("lacks costs"));
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

TEST_F(ForeignFiles, tauClocks_areNotAddedUp) {
    std::string ofProcessors = kTau;
    ofProcessors.replace(ofProcessors.find("TIME"), 4, "CPU_TIME");
    std::string other = kTau;
    other.replace(other.find("TIME"), 4, "LINUX_TIMERS_TIME");
    write("tau/MULTI__GET_TIME_OF_DAY/profile.0.0.0", kTau);
    write("tau/MULTI__CPU_TIME/profile.0.0.0", ofProcessors);
    write("tau/MULTI__LINUX_TIMERS/profile.0.0.0", other);
    const Experiment experiment = readExperiment(folder_.path() / "tau");
    EXPECT_DOUBLE_EQ(total(experiment, "on_processors"), 5.5);
    EXPECT_DOUBLE_EQ(total(experiment, "time"), 5.5);
    EXPECT_DOUBLE_EQ(total(experiment, "LINUX_TIMERS_TIME"), 5.5);
}

TEST_F(ForeignFiles, tauFunction_hasWhatIsInNoneOfItsPaths) {
    const std::string flat = "\"solve C [{a.c} {3,1}-{9,1}]\" ";
    std::string more = kTau;
    more.replace(more.find(flat + "2 0 4000000") + flat.size(), 11, "3 0 6000000");
    const Experiment experiment = read("profile.0.0.0", more);
    EXPECT_DOUBLE_EQ(at(experiment, "time", "solve"), 2.0);
    EXPECT_DOUBLE_EQ(at(experiment, "visits", "solve"), 1);
    EXPECT_DOUBLE_EQ(at(experiment, "time", ".TAU application/solve"), 4.0);
}

TEST_F(ForeignFiles, packedTauProfile_isWhatItsFolderIs_alsoWithinGzip) {
    for (const std::string& file : {PackedTau::file(), gzip(PackedTau::file())}) {
        const Experiment experiment = read("run.ppk", file);
        EXPECT_EQ(formatOf(folder_.path() / "run.ppk"), FileFormat::Other);
        EXPECT_DOUBLE_EQ(at(experiment, "time", "main"), 1.0);
        EXPECT_DOUBLE_EQ(at(experiment, "time", "main/solve"), 4.0);
        EXPECT_DOUBLE_EQ(at(experiment, "time", "solve"), 1.0);
        EXPECT_DOUBLE_EQ(total(experiment, "PAPI_TOT_INS"), 70);
        EXPECT_DOUBLE_EQ(total(experiment, "visits"), 4);
        EXPECT_DOUBLE_EQ(total(experiment, "time of samples"), 3.0);
        EXPECT_DOUBLE_EQ(total(experiment, "Message size: sum"), 1200);
        ASSERT_EQ(experiment.system.locations.size(), 1U);
        EXPECT_EQ(experiment.system.locations[0].name, "thread 1");
        EXPECT_EQ(experiment.system.processes[0].name, "node 3");
    }
}

TEST_F(ForeignFiles, packedTauProfile_thatIsDamaged_isAnError) {
    const std::string whole = PackedTau::file();
    for (std::size_t at = kPackedTau.size(); at < whole.size(); ++at)
        EXPECT_THAT(failureOf("run.ppk", whole.substr(0, at)), HasSubstr("it ends too early")) << at;
    readDamaged("run.ppk", whole);
    std::string newer = whole;
    newer[13] = 3;
    EXPECT_THAT(failureOf("run.ppk", newer), HasSubstr("it is of version 3"));
    const std::string packed = gzip(whole);
    EXPECT_THAT(failureOf("run.ppk", packed.substr(0, packed.size() / 2)), HasSubstr("ends too early"));
}

TEST_F(ForeignFiles, filesThatArePackedByGzip_areReadAsTheyAre) {
    EXPECT_EQ(at(read("a.folded.gz", gzip("main;solve 3\nmain 4\n")), "samples", "main/solve"), 3);
    EXPECT_EQ(total(read("perf.txt.gz", gzip(kPerf)), "samples"), 2);
    EXPECT_EQ(at(read("callgrind.out.1.gz", gzip(kCallgrind)), "Ir", "work"), 400);
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
