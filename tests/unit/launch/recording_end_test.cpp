// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a recording, and of the command that made it, when the program has ended.
#include "tracing/recordings/launch/recording_end.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.h"
#include "tracing/recordings/launch/recording_directory.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

/// A recording to which no process has written.
class EndOfARecording : public ::testing::Test {
  protected:
    EndOfARecording() { prepareRecording(place_.string(), "app", std::nullopt, false); }
    RecordingEnd end(const FollowedFolder& folder, const Ending& ofProgram) const {
        return finishRecording(folder, ofProgram,
                               {[](const std::string&) {}, {}, [](const fs::path&) { return ""; }});
    }

    testing::TemporaryDirectory directory_;
    fs::path place_ = directory_.path() / "run";
};

TEST_F(EndOfARecording, ofAProgramThatSucceeded_isAFailureAndStays) {
    const RecordingEnd after = end(FollowedFolder(place_), {0, 0});
    EXPECT_FALSE(after.trace);
    EXPECT_NE(after.trouble, "");
    EXPECT_TRUE(after.stays);
    EXPECT_EQ(after.command.status, 1);
    EXPECT_TRUE(fs::exists(place_));
}

TEST_F(EndOfARecording, ofAProgramThatFailed_endsAsItAndIsRemoved) {
    const RecordingEnd after = end(FollowedFolder(place_), {3, 0});
    EXPECT_NE(after.trouble, "");
    EXPECT_FALSE(after.stays);
    EXPECT_EQ(after.command.status, 3);
    EXPECT_FALSE(fs::exists(place_));
}

TEST_F(EndOfARecording, ofAProgramThatASignalEnded_endsByTheSignal) {
    const RecordingEnd after = end(FollowedFolder(place_), {0, 11});
    EXPECT_EQ(after.command.status, 0);
    EXPECT_EQ(after.command.signal, 11);
    EXPECT_FALSE(after.stays);
}

TEST_F(EndOfARecording, thatWasMoved_isFoundThere) {
    const FollowedFolder folder(place_);
    fs::rename(place_, directory_.path() / "elsewhere");
    EXPECT_EQ(end(folder, {0, 0}).folder, directory_.path() / "elsewhere");
}

TEST_F(EndOfARecording, thatIsGone_isAFailureOfWhichNothingStays) {
    const FollowedFolder folder(place_);
    fs::remove_all(place_);
    const RecordingEnd after = end(folder, {0, 0});
    EXPECT_NE(after.trouble, "");
    EXPECT_FALSE(after.stays);
    EXPECT_EQ(after.command.status, 1);
}

}  // namespace
}  // namespace holos::launch
