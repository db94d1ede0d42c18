// SPDX-License-Identifier: BSD-3-Clause
// A profile that is looked at while it grows.
#include <gmock/gmock.h>

#include "tests/support/damage.h"
#include "tests/unit/tracing/raw_table.h"
#include "tests/unit/tracing/watched_folder.h"
#include "tracing/recordings/watch/waits.h"

namespace holos::watch {
namespace {

using ::testing::HasSubstr;
using testing::RawDefinitions;
using testing::RawTable;
using tracing::Paradigm;

class FollowedProfileTest : public WatchedFolder {
  protected:
    static constexpr std::uint32_t kWork = 1;
    static constexpr std::uint32_t kSend = 2;

    FollowedProfileTest() {
        RawDefinitions log = program(0);
        region(log, kWork, "work", Paradigm::User);
        region(log, kSend, "MPI_Send", Paradigm::Mpi, tracing::Role::PointToPoint);
        folder_ = write("host.1.0", log);
        sums_.table().enterRegion(kWork, 0, ticks(10));
        send(20);
        sums_.write(folder_);
    }
    void send(std::uint64_t at) {
        sums_.table().enterRegion(kSend, 0, ticks(at));
        sums_.table().count(ProfileCount::Sends, 1, 8);
        sums_.table().leave(kSend, ticks(at + 5));
    }
    /// The first so many words, of which one is another one.
    void writeWrong(std::size_t words, std::size_t at, std::uint64_t wrong) const {
        sums_.write(folder_);
        testing::truncate(folder_ / "events", words * sizeof wrong);
        if (at < words)
            testing::overwrite(folder_ / "events", at * sizeof wrong,
                               {reinterpret_cast<const char*>(&wrong), sizeof wrong});
    }
    /// Where the cells begin, and how many words they have.
    static constexpr std::size_t kCells = 1;
    static constexpr std::size_t kStateWords =
        tracing::profile::cellWords(tracing::profile::CellKind::State, 0);
    static constexpr std::size_t kUsedWords =
        kCells + kStateWords + 3 * tracing::profile::cellWords(tracing::profile::CellKind::Node, 0) +
        2 * tracing::profile::cellWords(tracing::profile::CellKind::Way, 0) +
        tracing::profile::cellWords(tracing::profile::CellKind::Traffic, 0);

    Folder folder_;
    RawTable sums_;
};

TEST_F(FollowedProfileTest, sumsThatGrow_areSeenAtEachLook) {
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes.at(0).amounts.messages, 1U);
    send(30);
    sums_.write(folder_);
    const SeenProcess& later = watched.look().processes[0];
    EXPECT_EQ(later.amounts.messages, 2U);
    EXPECT_DOUBLE_EQ(later.messageRate, 1);
    EXPECT_EQ(later.threads.at(0).open.size(), 1U);
    ASSERT_TRUE(later.threads[0].left);
    EXPECT_EQ(later.threads[0].left->region, kSend);
}

TEST_F(FollowedProfileTest, cellThatIsNone_isSaidUntilItIsOne) {
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes.at(0).damage, "");
    writeWrong(kUsedWords, kCells + kStateWords, 77);
    EXPECT_THAT(watched.look().processes[0].damage, HasSubstr("cannot be read"));
    sums_.write(folder_);
    EXPECT_EQ(watched.look().processes[0].damage, "");
}

/// Each word in turn.
TEST_F(FollowedProfileTest, wordsThatAreWrong_areLookedAtWithoutCrash) {
    for (std::size_t at = 0; at < kUsedWords; ++at)
        for (const std::uint64_t wrong :
             {std::uint64_t{0}, std::uint64_t{2}, ~std::uint64_t{0}, ~std::uint64_t{0} << 32U}) {
            writeWrong(kUsedWords, at, wrong);
            FollowedRun watched = run();
            watched.look();
            EXPECT_EQ(watched.look().processes.size(), 1U) << at;
            findWaits(watched);
        }
}

TEST_F(FollowedProfileTest, fileThatIsCut_isLookedAtAsFarAsItGoes) {
    for (std::size_t words = 0; words < kUsedWords; ++words) {
        writeWrong(words, kUsedWords, 0);
        FollowedRun watched = run();
        EXPECT_EQ(watched.look().processes.size(), 1U) << words;
    }
}

}  // namespace
}  // namespace holos::watch
