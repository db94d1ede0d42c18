// SPDX-License-Identifier: BSD-3-Clause
// A recording that is looked at while it grows.
#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/unit/tracing/watched_folder.h"

namespace holos::watch {
namespace {

using ::testing::HasSubstr;
using testing::RawDefinitions;
using testing::RawEvents;
using tracing::LocationKind;
using tracing::pair;
using tracing::Paradigm;
using tracing::RecordKind;

constexpr std::uint32_t kWorkRegion = 1;
constexpr std::uint32_t kReceive = 2;

class FollowedRunTest : public WatchedFolder {
  protected:
    RawDefinitions regions(std::optional<std::uint32_t> rank = {}) const {
        RawDefinitions log = program(rank);
        region(log, kWorkRegion, "work", Paradigm::User);
        region(log, kReceive, "MPI_Recv", Paradigm::Mpi, tracing::Role::PointToPoint);
        return log;
    }
    RawEvents enters(std::uint64_t at, std::uint32_t region) const {
        RawEvents events;
        events.add(RecordKind::Enter, ticks(at), {pair(region, 0)});
        return events;
    }
    /// Words behind others of a chunk that is there.
    static void put(const Folder& folder, std::uint64_t word, const std::vector<std::uint64_t>& words) {
        std::fstream file(folder / "events", std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(word * sizeof(std::uint64_t)));
        file.write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    }
};

TEST_F(FollowedRunTest, whileItReads_thePictureIsThatOfTheLookBefore) {
    const Folder first = write("host.1.0", regions(0));
    const Folder second = write("host.2.0", regions(1));
    enters(10, kWorkRegion).nextChunk().write(first);
    enters(10, kWorkRegion).nextChunk().write(second);
    FollowedRun watched = run();
    watched.look();
    for (const Folder& folder : {first, second})
        put(folder, 3, {tracing::header(RecordKind::Enter, ticks(20)), pair(kReceive, 0)});
    std::size_t calls = 0;
    watched.look([&] {
        EXPECT_EQ(watched.picture().processes.size(), 2U);
        for (const SeenProcess& process : watched.picture().processes) EXPECT_EQ(process.amounts.events, 1U);
        EXPECT_DOUBLE_EQ(watched.picture().interval, 0);
        return ++calls != 0;
    });
    EXPECT_GE(calls, 2U) << "once for each process";
    for (const SeenProcess& process : watched.picture().processes) EXPECT_EQ(process.amounts.events, 2U);
    EXPECT_DOUBLE_EQ(watched.picture().interval, 1);
}

TEST_F(FollowedRunTest, lookThatIsStopped_readsTheRestTheNextTime) {
    for (std::uint32_t rank = 0; rank < 3; ++rank)
        enters(10, kWorkRegion)
            .nextChunk()
            .write(write("host." + std::to_string(rank + 1) + ".0", regions(rank)));
    FollowedRun watched = run();
    EXPECT_TRUE(watched.look([] { return false; }).processes.empty());
    EXPECT_EQ(watched.look().processes.size(), 3U);
    for (const SeenProcess& process : watched.picture().processes) EXPECT_EQ(process.amounts.events, 1U);
}

/// The first job has ended; rank 1 of the second is not that of the first.
TEST_F(FollowedRunTest, ranksOfTwoJobs_areThoseOfTheOneThatLives) {
    writeKilled("host.1.0", program(0, archive::bootId(), 7));
    writeKilled("host.2.0", program(1, archive::bootId(), 7));
    write("host.3.0", program(0, archive::bootId(), 9));
    FollowedRun watched = run();
    const Picture& picture = watched.look();
    ASSERT_EQ(picture.processes.size(), 3U);
    EXPECT_EQ(picture.processes[0].rank, 0U);
    EXPECT_EQ(picture.processes[0].life, Life::Living);
    EXPECT_FALSE(picture.processes[1].rank);
    EXPECT_FALSE(picture.processes[2].rank);
    EXPECT_EQ(picture.otherWorlds, 1U);
}

/// Asked between chunks, so that a process with many of them is not waited for.
TEST_F(FollowedRunTest, processWithManyChunks_isReadInParts) {
    const Folder folder = write("host.1.0", regions(0));
    constexpr std::size_t kChunks = 5;
    for (std::size_t i = 0; i < kChunks; ++i) enters(10 + i, kWorkRegion).nextChunk().write(folder);
    FollowedRun watched = run();
    std::size_t calls = 0;
    EXPECT_EQ(watched.look([&] { return ++calls != 0; }).processes[0].amounts.events, kChunks);
    EXPECT_GE(calls, kChunks);
}

TEST_F(FollowedRunTest, recordsThatCome_areReadOnceEach) {
    const Folder folder = write("host.1.0", regions(0));
    enters(10, kWorkRegion).nextChunk().write(folder);
    FollowedRun watched = run();
    ASSERT_EQ(watched.look().processes.size(), 1U);
    const SeenProcess& first = watched.picture().processes[0];
    EXPECT_EQ(first.amounts.events, 1U);
    EXPECT_EQ(first.rank, 0U);
    EXPECT_EQ(first.life, Life::Living);
    EXPECT_FALSE(first.isElsewhere);
    EXPECT_EQ(watched.look().processes[0].amounts.events, 1U);
    put(folder, 3, {tracing::header(RecordKind::Enter, ticks(20)), pair(kReceive, 0)});
    const SeenProcess& later = watched.look().processes[0];
    EXPECT_EQ(later.amounts.events, 2U);
    EXPECT_DOUBLE_EQ(later.eventRate, 1);
    ASSERT_EQ(later.threads.size(), 1U);
    EXPECT_EQ(later.threads[0].open.size(), 2U);
    EXPECT_EQ(later.threads[0].now, Activity::Mpi);
}

TEST_F(FollowedRunTest, recordWithoutHeader_isNotRead) {
    const Folder folder = write("host.1.0", regions());
    enters(10, kWorkRegion).nextChunk().write(folder);
    put(folder, 4, {pair(kReceive, 0)});  // its words are written before
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes[0].amounts.events, 1U);
}

TEST_F(FollowedRunTest, pollsThatGoOn_areReadAgain) {
    const Folder folder = write("host.1.0", regions());
    RawEvents events = enters(10, kWorkRegion);
    events.add(RecordKind::Polls, ticks(20), {pair(kReceive, 0), 5, 30, ticks(70), 0}).nextChunk();
    events.write(folder);
    FollowedRun watched = run();
    const SeenProcess& first = watched.look().processes[0];
    EXPECT_EQ(first.amounts.events, 1U);
    EXPECT_EQ(first.threads.at(0).open.size(), 2U);
    EXPECT_EQ(first.threads.at(0).now, Activity::Mpi);
    put(folder, 5, {9});
    put(folder, 9, {tracing::header(RecordKind::Enter, ticks(200)), pair(kWorkRegion, 0)});
    const SeenProcess& later = watched.look().processes[0];
    EXPECT_EQ(later.amounts.events, 11U);
    EXPECT_EQ(later.threads.at(0).now, Activity::Computation);
}

/// Of two records directly behind each other both change.
TEST_F(FollowedRunTest, locksThatGoOn_areReadAgain) {
    const Folder folder = write("host.1.0", regions());
    RawEvents events = enters(10, kWorkRegion);
    events.add(RecordKind::Polls, ticks(20), {pair(kReceive, 0), 5, 30, ticks(60), 0})
        .add(RecordKind::Polls, ticks(21), {pair(kReceive, 0), 5, 30, ticks(70), 0})
        .nextChunk();
    events.write(folder);
    FollowedRun watched = run();
    const SeenProcess& first = watched.look().processes[0];
    EXPECT_EQ(first.amounts.events, 11U);
    EXPECT_EQ(first.threads.at(0).open.size(), 1U);
    put(folder, 5, {9});
    put(folder, 11, {9});
    EXPECT_EQ(watched.look().processes[0].amounts.events, 19U);
    put(folder, 15, {tracing::header(RecordKind::Enter, ticks(200)), pair(kWorkRegion, 0)});
    EXPECT_EQ(watched.look().processes[0].amounts.events, 20U);
}

TEST_F(FollowedRunTest, sectionThatGoesOn_isWhereTheThreadIs) {
    const Folder folder = write("host.1.0", regions());
    RawEvents events = enters(10, kWorkRegion);
    events.add(RecordKind::Sections, ticks(20),
               {pair(kReceive, 0), pair(kWorkRegion, 0), 3, 1, 1, 1, ticks(50), ticks(60), ticks(61)});
    events.nextChunk().write(folder);
    FollowedRun watched = run();
    const SeenThread& inside = watched.look().processes[0].threads.at(0);
    ASSERT_EQ(inside.open.size(), 3U);
    EXPECT_EQ(inside.open[1].region, kReceive);
    EXPECT_EQ(inside.open[2].region, kWorkRegion);
    put(folder, 11, {0});
    EXPECT_EQ(watched.look().processes[0].threads.at(0).open.size(), 1U);
}

TEST_F(FollowedRunTest, chunkThatBegins_isRead) {
    const Folder folder = write("host.1.0", regions());
    enters(10, kWorkRegion).nextChunk().write(folder);
    FollowedRun watched = run();
    watched.look();
    enters(20, kReceive).nextChunk().write(folder);
    EXPECT_EQ(watched.look().processes[0].amounts.events, 2U);
    EXPECT_EQ(watched.picture().recorded, 4 * sizeof(std::uint64_t));
}

TEST_F(FollowedRunTest, recordAcrossWhatIsReadAtOnce_isRead) {
    const Folder folder = write("host.1.0", regions());
    RawEvents events;
    constexpr std::uint64_t kMany = 20'000;
    for (std::uint64_t i = 0; i < kMany; ++i)
        events.add(RecordKind::MpiSend, ticks(i), {pair(0, 0), i % 7, 1});
    events.write(folder);
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes[0].amounts.messages, kMany);
    EXPECT_EQ(watched.picture().processes[0].damage, "");
}

TEST_F(FollowedRunTest, threadThatComesLater_isThereThen) {
    RawDefinitions log = regions();
    const Folder folder = write("host.1.0", log);
    enters(10, kWorkRegion).nextChunk().write(folder);
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes[0].threads.size(), 1U);
    location(log, 1, LocationKind::Thread, 1);
    write("host.1.0", log);
    enters(20, kWorkRegion).nextChunk().write(folder, 1);
    ASSERT_EQ(watched.look().processes[0].threads.size(), 2U);
    EXPECT_EQ(watched.picture().processes[0].threads[1].name, "Thread 1");
}

TEST_F(FollowedRunTest, regionThatIsDefinedWithItsEvent_isKnown) {
    RawDefinitions log = program();
    const Folder folder = write("host.1.0", log);
    FollowedRun watched = run();
    watched.look();
    region(log, 9, "MPI_Recv", Paradigm::Mpi);
    write("host.1.0", log);
    enters(10, 9).nextChunk().write(folder);
    EXPECT_EQ(watched.look().processes[0].threads.at(0).now, Activity::Mpi);
}

TEST_F(FollowedRunTest, processThatComesLater_isThereThen) {
    write("host.1.0", regions(1));
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes.size(), 1U);
    write("host.2.0", regions(0));
    ASSERT_EQ(watched.look().processes.size(), 2U);
    EXPECT_EQ(watched.picture().processes[0].rank, 0U);
    EXPECT_EQ(watched.picture().processes[1].rank, 1U);
}

TEST_F(FollowedRunTest, processThatWasKilled_hasCrashed) {
    const Folder folder = writeKilled("host.1.0", regions());
    enters(10, kReceive).nextChunk().write(folder);
    FollowedRun watched = run();
    const SeenProcess& process = watched.look().processes[0];
    EXPECT_EQ(process.life, Life::Crashed);
    EXPECT_EQ(process.threads.at(0).open.size(), 1U);
}

TEST_F(FollowedRunTest, processThatEnds_hasEnded) {
    const Folder folder = write("host.1.0", regions());
    FollowedRun watched = run();
    EXPECT_EQ(watched.look().processes[0].life, Life::Living);
    tracing::Status status{};
    status.ended = 1;
    setStatus(folder, status);
    EXPECT_EQ(watched.look().processes[0].life, Life::Ended);
}

TEST_F(FollowedRunTest, programThatAnotherOneReplaces_hasEnded) {
    writeKilled("host.1.0", regions());
    write("host.1.1", regions());
    FollowedRun watched = run();
    watched.look();
    EXPECT_EQ(watched.picture().processes[0].life, Life::Ended);
    EXPECT_EQ(watched.picture().processes[1].life, Life::Living);
}

/// Its clock is another one: times are since it was first seen there, by the clock of this machine.
TEST_F(FollowedRunTest, processOfAnotherMachine_isSaidAndItsTimesAreSinceItWasSeen) {
    RawDefinitions log = program(0, "another kernel");
    region(log, kReceive, "MPI_Recv", Paradigm::Mpi);
    const Folder folder = write("node2.1.0", log);
    enters(10, kReceive).nextChunk().write(folder);
    std::ofstream(folder / "alive") << "run \nhost node2\nboot another\nnamespace 1\nprocess 1\nstart 1\n";
    FollowedRun watched = run();
    watched.look();
    const SeenProcess& process = watched.look().processes[0];
    EXPECT_TRUE(process.isElsewhere);
    EXPECT_EQ(process.life, Life::Unknown);
    EXPECT_TRUE(process.threads.at(0).since.isAtLeast);
    EXPECT_DOUBLE_EQ(process.threads.at(0).since.seconds, 1);
    put(folder, 3, {tracing::header(RecordKind::Leave, ticks(20)), kReceive});
    const SeenProcess& later = watched.look().processes[0];
    EXPECT_EQ(later.life, Life::Living);
    EXPECT_EQ(later.silentFor, 0);
    EXPECT_DOUBLE_EQ(later.threads.at(0).since.seconds, 0);
}

TEST_F(FollowedRunTest, bytesThatAreNoRecord_areSaidAndTheRestIsShown) {
    const Folder folder = write("host.1.0", regions());
    RawEvents events;
    events.add(RecordKind::Enter, ticks(10), {pair(kWorkRegion, 0)});
    events.add(static_cast<RecordKind>(250), ticks(11), {1}).nextChunk();
    events.add(RecordKind::Enter, ticks(20), {pair(kReceive, 0)}).nextChunk();
    events.write(folder);
    FollowedRun watched = run();
    const SeenProcess& process = watched.look().processes[0];
    EXPECT_THAT(process.damage, HasSubstr("cannot be read"));
    EXPECT_EQ(process.threads.at(0).open.size(), 2U);
}

TEST_F(FollowedRunTest, filesThatVanish_leaveTheLastPicture) {
    const Folder folder = write("host.1.0", regions());
    enters(10, kReceive).nextChunk().write(folder);
    FollowedRun watched = run();
    EXPECT_FALSE(watched.look().isFinished);
    std::filesystem::remove_all(recording());
    const Picture& last = watched.look();
    EXPECT_TRUE(last.isFinished);
    ASSERT_EQ(last.processes.size(), 1U);
    EXPECT_EQ(last.processes[0].threads.at(0).open.size(), 1U);
}

TEST_F(FollowedRunTest, counters_areAddedUpAndHaveRates) {
    RawDefinitions log = regions();
    log.begin(tracing::DefinitionKind::Counter).add(std::uint32_t{0}).add(counters::Mode::Accumulated);
    log.add(counters::Values::Unsigned);
    log.text("faults").text("").text("");
    location(log, 1, LocationKind::Thread, 1);
    const Folder folder = write("host.1.0", log);
    for (const std::uint32_t thread : {0U, 1U}) {
        RawEvents events;
        events.add(RecordKind::Counters, ticks(10), {100})
            .add(RecordKind::Enter, ticks(10), {pair(kWorkRegion, 0)});
        events.nextChunk().write(folder, thread);
    }
    FollowedRun watched = run();
    ASSERT_EQ(watched.look().processes[0].counters.size(), 1U);
    EXPECT_EQ(watched.picture().processes[0].counters[0].name, "faults");
    EXPECT_DOUBLE_EQ(watched.picture().processes[0].counters[0].value, 200);
    put(folder, 5, {tracing::header(RecordKind::Counters, ticks(20)), 150});
    EXPECT_DOUBLE_EQ(watched.look().processes[0].counters[0].rate, 50);
}

TEST_F(FollowedRunTest, noteOfTheCallThatIsOpen_isWhatIsWaitedFor) {
    const Folder folder = write("host.1.0", regions());
    enters(10, kReceive).nextChunk().write(folder);
    tracing::WaitingNote note{};
    note.since = ticks(10);
    note.thread = pair(kMain + 1, 42);
    note.count = pair(1, 0);
    note.things[0] = {pair(3, 1), pair(7, tracing::awaitedCode(tracing::AwaitedKind::Receive))};
    setStatus(folder, {}, {note});
    FollowedRun watched = run();
    const auto& awaits = watched.look().processes[0].threads.at(0).awaits;
    ASSERT_TRUE(awaits);
    ASSERT_EQ(awaits->things.size(), 1U);
    EXPECT_EQ(awaits->things[0].peer, 3U);
    EXPECT_EQ(awaits->things[0].tag, 7U);
}

TEST_F(FollowedRunTest, noteOfAnEarlierCall_isNotOfThisOne) {
    const Folder folder = write("host.1.0", regions());
    enters(10, kReceive).nextChunk().write(folder);
    tracing::WaitingNote note{};
    note.since = ticks(9);
    note.thread = pair(kMain + 1, 42);
    note.count = pair(1, 0);
    setStatus(folder, {}, {note});
    FollowedRun watched = run();
    EXPECT_FALSE(watched.look().processes[0].threads.at(0).awaits);
}

TEST_F(FollowedRunTest, folderWithoutRecording_isRefused) {
    std::filesystem::remove_all(recording());
    EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace holos::watch
