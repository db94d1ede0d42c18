// SPDX-License-Identifier: BSD-3-Clause
// A job on several nodes, each with a name of its own, and a recorder for each rank.
#include <sys/wait.h>

#include <csignal>

#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class SeveralNodes : public RecordingFixture {
  protected:
    static constexpr int kRanks = 3;

    void SetUp() override {
        if (runCommand(onNode(0, {"/bin/true"})).exitCode != 0)
            GTEST_SKIP() << "no namespace can be made here";
    }
    ~SeveralNodes() override { letGo(); }

    /// As a launcher starts the rank there.
    static Words onNode(int rank, const Words& command) {
        const std::string number = std::to_string(rank);
        const Words words{"/usr/bin/unshare",
                          "--uts",
                          "/bin/sh",
                          "-c",
                          "hostname node$0 && exec \"$@\"",
                          number,
                          "/usr/bin/env",
                          "PMI_RANK=" + number,
                          "PMI_SIZE=" + std::to_string(kRanks),
                          "PMI_JOBID=7"};
        return words + command;
    }
    std::string begun(int rank) const { return file("begun" + std::to_string(rank)); }
    std::string go(int rank) const { return file("go" + std::to_string(rank)); }
    std::unique_ptr<StartedCommand> start(int rank, const Words& options = {}) const {
        const Words words{HOLOS_PROGRAM, "record", "-o", trace()};
        const Words program{"--", LIVING_PROGRAM, std::to_string(kRegions), begun(rank), go(rank)};
        return std::make_unique<StartedCommand>(onNode(rank, words + options + program),
                                                file("output" + std::to_string(rank)));
    }
    void startAll(const Words& options = {}) {
        for (int rank = 0; rank < kRanks; ++rank) commands_.push_back(start(rank, options));
        for (int rank = 0; rank < kRanks; ++rank)
            ASSERT_TRUE(becomesTrue([&] { return fs::exists(begun(rank)); }));
    }
    void letGo(int rank) const { std::ofstream(go(rank)).flush(); }
    void letGo() const {
        for (int rank = 0; rank < kRanks; ++rank) letGo(rank);
    }
    fs::path helper(int rank) const { return recording() / "helpers" / ("node" + std::to_string(rank)); }
    bool offersHelp(int rank) const { return fs::exists(helper(rank) / "beat"); }
    /// Of all ranks, whole.
    void expectTheTrace() const {
        EXPECT_EQ(regionsInTrace(), std::size_t{2 * kRanks} * kRegions);
        EXPECT_EQ(measurement()["lostEvents"], 0);
        EXPECT_FALSE(fs::exists(recording()));
        EXPECT_EQ(std::distance(fs::directory_iterator(trace()), fs::directory_iterator()), 4);
    }

    std::vector<std::unique_ptr<StartedCommand>> commands_;
};

TEST_F(SeveralNodes, eventsOnDisksOfTheirOwn_areMovedByEach) {
    const fs::path local = file("local");
    fs::create_directory(local);
    startAll({"--local", local});
    letGo(1);
    const auto isMoved = [&](const fs::path& process) {
        return process.filename().string().starts_with("node1.") && fs::exists(process / "events") &&
               !fs::is_symlink(process / "events");
    };
    EXPECT_TRUE(
        becomesTrue([&] { return std::ranges::any_of(archive::processFolders(recording()), isMoved); }));
    letGo(2);
    letGo(0);
    for (const auto& command : commands_) EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheTrace();
    EXPECT_TRUE(fs::is_empty(local));
}

TEST_F(SeveralNodes, commandsThatEndedFirst_waitAndHelpTheLastOne) {
    startAll();
    for (const int rank : {1, 2}) {
        letGo(rank);
        ASSERT_TRUE(becomesTrue([&] { return offersHelp(rank); }));
    }
    letGo(0);
    for (const auto& command : commands_) EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheTrace();
}

TEST_F(SeveralNodes, oneWhoseHelperIsKilled_isTranslatedByTheLastOne) {
    startAll();
    for (const int rank : {1, 2}) {
        letGo(rank);
        ASSERT_TRUE(becomesTrue([&] { return offersHelp(rank); }));
    }
    commands_[1]->send(SIGKILL);
    commands_[1]->wait();
    letGo(0);
    EXPECT_EQ(commands_[0]->wait(), 0) << commands_[0]->output();
    EXPECT_EQ(commands_[2]->wait(), 0) << commands_[2]->output();
    expectTheTrace();
}

/// Its launcher must not have to wait for that.
TEST_F(SeveralNodes, commandWhoseProgramFailed_offersNoHelp) {
    commands_.push_back(start(0));
    ASSERT_TRUE(becomesTrue([&] { return fs::exists(begun(0)); }));
    StartedCommand failed(onNode(1, {HOLOS_PROGRAM, "record", "-o", trace(), "--", LIVING_PROGRAM}),
                          file("failed"));
    EXPECT_EQ(WEXITSTATUS(failed.wait()), 2) << failed.output();
    EXPECT_FALSE(fs::exists(recording() / "helpers"));
}

/// Commands that would help wait for half a minute, and nobody has to wait for them.
TEST_F(SeveralNodes, lastCommandThatIsKilled_traceCanBeMadeAtOnce) {
    startAll();
    for (const int rank : {1, 2}) letGo(rank);
    ASSERT_TRUE(becomesTrue([&] { return offersHelp(1) && offersHelp(2); }));
    commands_[0]->send(SIGKILL);
    commands_[0]->wait();
    letGo(0);
    ASSERT_TRUE(becomesTrue([&] { return archive::ownersOf(recording()).living.empty(); }));
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_FALSE(fs::exists(recording())) << analyzed.output;
    EXPECT_EQ(regionsInTrace(), std::size_t{2 * kRanks} * kRegions);
    for (const int rank : {1, 2}) EXPECT_EQ(commands_[static_cast<std::size_t>(rank)]->wait(), 0);
}

/// Its trace is made later.
TEST_F(SeveralNodes, lastCommandThatIsKilled_leavesARecordingAndNobodyWaitsForEver) {
    startAll();
    for (const int rank : {1, 2}) letGo(rank);
    ASSERT_TRUE(becomesTrue([&] { return offersHelp(1) && offersHelp(2); }));
    commands_[0]->send(SIGKILL);
    commands_[0]->wait();
    for (const int rank : {1, 2}) {
        commands_[static_cast<std::size_t>(rank)]->send(SIGTERM);
        commands_[static_cast<std::size_t>(rank)]->wait();
    }
    letGo(0);
    analyzeInTheEnd();
    EXPECT_EQ(regionsInTrace(), std::size_t{2 * kRanks} * kRegions);
}

}  // namespace
}  // namespace holos::testing
