// SPDX-License-Identifier: BSD-3-Clause
// Commands that are killed at each place where they change files: afterwards the trace has what the program
// did.
#include <csignal>
#include <cstdlib>
#include <map>
#include <numeric>

#include "tests/fault/killer.h"
#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

class KilledCommand : public RecordingFixture, public ::testing::WithParamInterface<std::size_t> {};

/// Each slice kills at every `kSlices`th place, from a different one on.
constexpr std::size_t kSlices = 12;

/// All of them on request: they take minutes.
std::vector<std::size_t> slices() {
    if (std::getenv("HOLOS_ALL_CASES") == nullptr) return {1, 4, 8, 11};
    std::vector<std::size_t> all(kSlices);
    std::iota(all.begin(), all.end(), std::size_t{1});
    return all;
}
INSTANTIATE_TEST_SUITE_P(Places, KilledCommand, ::testing::ValuesIn(slices()));

TEST_P(KilledCommand, analyze_theNextOneHasTheWholeRun) {
    leaveRecording();
    const fs::path unfinished = file("unfinished");
    fs::rename(trace(), unfinished);
    for (std::size_t place = GetParam();; place += kSlices) {
        SCOPED_TRACE("killed at system call " + std::to_string(place));
        fs::remove_all(trace());
        fs::copy(unfinished, trace(), fs::copy_options::recursive);
        const Fate fate = killAtSystemCall({HOLOS_PROGRAM, "analyze", trace()}, place, file("output"));
        if (fate == Fate::NotAllowed) GTEST_SKIP() << "no process may be traced here";
        const bool isTidy = std::distance(fs::directory_iterator(trace()), fs::directory_iterator()) == 4;
        const bool hadFinished = isTidy && fs::exists(trace() / "traces.otf2");
        const auto analyzed = analyze();
        EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
        expectTheWholeRun();
        expectNothingElse();
        if (hadFinished || HasFailure()) break;  // what is written from here on is only the analysis
    }
}

TEST_P(KilledCommand, record_theProgramRunsOnAndIsInTheTrace) {
    letGo();
    for (std::size_t place = GetParam();; place += kSlices) {
        SCOPED_TRACE("killed at system call " + std::to_string(place));
        fs::remove_all(trace());
        fs::remove(file("begun"));
        const std::vector<std::string> words{HOLOS_PROGRAM, "record", "-o", trace(), "--"};
        const Fate fate = killAtSystemCall(words + program(), place, file("output"));
        if (fate == Fate::NotAllowed) GTEST_SKIP() << "no process may be traced here";
        if (!fs::exists(file("begun"))) {  // killed before the program ran: the folder can be used again
            const std::vector<std::string> again{HOLOS_PROGRAM, "record", "--force", "-o", trace(), "--"};
            const auto recorded = runCommand(again + program());
            EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
        }
        const auto analyzed = analyze();
        EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
        expectTheWholeRun();
        expectNothingElse();
        if (fate == Fate::Ended || HasFailure()) break;
    }
}

class KilledRun : public RecordingFixture {
  protected:
    /// The contents of the trace that is made of a copy of the recording.
    std::map<std::string, std::string> traceOfCopy(const std::string& name) const {
        fs::copy(trace(), file(name), fs::copy_options::recursive);
        const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", file(name)});
        EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
        std::map<std::string, std::string> contents;
        for (const auto& [path, bytes] : contentsOf(file(name)))
            if (const fs::path one = path; one.extension() == ".def" || one.extension() == ".evt")
                contents[fs::relative(one, file(name)).string()] = bytes;
        return contents;
    }
};

/// No process is left that could have compared its clocks in the end.
TEST_F(KilledRun, hasTheSameTimesWheneverItIsAnalyzed) {
    const auto command = record(program());
    waitUntilBegun();
    command->send(SIGKILL);
    tellProgram(SIGKILL);
    command->wait();
    waitUntilNobodyLives();
    const auto first = traceOfCopy("first");
    EXPECT_GE(first.size(), 2U);
    EXPECT_EQ(traceOfCopy("second"), first);
}

}  // namespace
}  // namespace holos::testing
