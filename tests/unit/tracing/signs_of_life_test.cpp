// SPDX-License-Identifier: BSD-3-Clause
// Processes on other machines, whose locks do not reach here.
#include "tracing/recordings/archive/folder/living.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SignsOfLife : public ::testing::Test {
  protected:
    fs::path process(const std::string& name, const std::string& boot = "elsewhere") const {
        const fs::path folder = directory_.path() / name;
        fs::create_directories(folder);
        std::ofstream(folder / "alive")
            << "host node5\nboot " << boot << "\nnamespace 1\nprocess 17\nstart 5\n";
        write(folder, {});
        return folder;
    }
    static void write(const fs::path& folder, const tracing::Status& status) {
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&status), sizeof status);
    }
    static void beat(const fs::path& folder) {
        tracing::Status status{};
        status.beats = signOf(folder).beats + 1;
        write(folder, status);
    }
    /// Instead of each pause something happens; as the last one false when there is to be no other.
    Owners listen(const std::function<bool()>& happens) const {
        return listenTo(directory_.path(), {hours(1), [&](milliseconds) { return happens(); }});
    }
    /// As if nobody did anything any more.
    Owners listenInSilence() const { return listenTo(directory_.path(), {milliseconds(0)}); }

    holos::testing::TemporaryDirectory directory_;
};

TEST_F(SignsOfLife, processThatCountsUp_livesAndWasSeen) {
    const fs::path folder = process("node5.17.0");
    const Owners owners = listen([&] { return beat(folder), true; });
    ASSERT_THAT(owners.living, SizeIs(1));
    EXPECT_THAT(owners.unknown, IsEmpty());
    EXPECT_TRUE(owners.living[0].seen);
    EXPECT_THAT(ownersText(owners), HasSubstr("process 17 on node5 (seen "));
}

TEST_F(SignsOfLife, processWhoseEventsGrow_lives) {
    const fs::path folder = process("node5.17.0");
    const auto grow = [&] {
        std::ofstream(folder / "0.events", std::ios::app) << "more";
        return true;
    };
    EXPECT_THAT(listen(grow).living, SizeIs(1));
}

TEST_F(SignsOfLife, processThatChangesNothing_staysUnknown) {
    process("node5.17.0");
    const Owners owners = listenInSilence();
    EXPECT_FALSE(owners.anyLives());
    ASSERT_THAT(owners.unknown, SizeIs(1));
    EXPECT_FALSE(owners.unknown[0].seen);
}

TEST_F(SignsOfLife, oneOfTwo_otherStaysUnknown) {
    const fs::path folder = process("node5.17.0");
    process("node6.17.0");
    const Owners owners = listen([&] { return beat(folder), false; });
    EXPECT_THAT(owners.living, SizeIs(1));
    EXPECT_THAT(owners.unknown, SizeIs(1));
}

TEST_F(SignsOfLife, processThatEndsInOrderMeanwhile_isNoOwner) {
    const fs::path folder = process("node5.17.0");
    tracing::Status ended{};
    ended.ended = 1;
    EXPECT_FALSE(listen([&] { return write(folder, ended), true; }).any());
}

TEST_F(SignsOfLife, programThatAnotherReplaced_hasEnded) {
    const fs::path first = process("node5.17.0");
    EXPECT_EQ(lifeOfRecorded(first), Life::Unknown);
    process("node5.17.1");
    EXPECT_EQ(lifeOfRecorded(first), Life::Ended);
}

TEST_F(SignsOfLife, programWithTheSameNumberElsewhere_replacesNone) {
    const fs::path first = process("node5.17.0");
    process("node5.17.1", "another machine");
    EXPECT_EQ(lifeOfRecorded(first), Life::Unknown);
}

TEST_F(SignsOfLife, commandOfWhichNothingIsKnown_isNotListenedTo) {
    fs::create_directory(directory_.path() / "commands");
    std::ofstream(directory_.path() / "commands" / "alone") << "host node5\nboot elsewhere\nprocess 17\n";
    const Owners owners = listen([] { return ADD_FAILURE(), false; });
    EXPECT_THAT(owners.unknownCommands, SizeIs(1));
}

TEST_F(SignsOfLife, commandThatEndedInOrder_saysSo) {
    { const LivingCommand command(directory_.path(), 3, "1f"); }
    const auto note = readNote(directory_.path() / "commands" / "3");
    ASSERT_TRUE(note);
    EXPECT_TRUE(note->hasEnded);
    std::ofstream(note->file) << "host node5\nboot elsewhere\nprocess 17\nended 1\n";
    EXPECT_FALSE(ownersOf(directory_.path()).any());
}

TEST_F(SignsOfLife, whoeverIsKnownToLive_makesListeningUnnecessary) {
    process("node5.17.0");
    const LivingCommand command(directory_.path(), -1, "1f");
    EXPECT_TRUE(ownersOf(directory_.path()).anyLives());
    EXPECT_TRUE(listenInSilence().anyLives());
}

}  // namespace
}  // namespace holos::archive
