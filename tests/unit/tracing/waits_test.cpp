// SPDX-License-Identifier: BSD-3-Clause
// For whom threads wait, by what recordings say of the calls that they are in.
#include "tracing/recordings/watch/waits.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/unit/tracing/watched_folder.h"

namespace holos::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RawDefinitions;
using testing::RawEvents;
using tracing::AwaitedKind;
using tracing::pair;
using tracing::Paradigm;
using tracing::RecordKind;

constexpr std::uint32_t kWork = 1;
constexpr std::uint32_t kCall = 2;
constexpr std::uint32_t kLock = 3;
constexpr std::uint32_t kBarrier = 4;
constexpr std::uint32_t kCondition = 5;
constexpr std::uint32_t kWorld = 1;
constexpr std::uint32_t kAllreduce = 11;

using Things = std::vector<tracing::WaitingNote::Thing>;

tracing::WaitingNote::Thing receive(std::uint32_t from, std::uint32_t tag) {
    return {pair(from, kWorld), pair(tag, tracing::awaitedCode(AwaitedKind::Receive))};
}
tracing::WaitingNote::Thing send(std::uint32_t to, std::uint32_t tag) {
    return {pair(to, kWorld), pair(tag, tracing::awaitedCode(AwaitedKind::Send))};
}
tracing::WaitingNote::Thing withRoot(std::uint32_t operation, std::uint32_t root) {
    return {pair(root, kWorld), pair(0, tracing::awaitedCode(AwaitedKind::Collective, operation))};
}
tracing::WaitingNote::Thing collective(std::uint32_t operation, std::uint32_t request = 0) {
    return {pair(tracing::kNoRoot, kWorld),
            pair(request, tracing::awaitedCode(AwaitedKind::Collective, operation))};
}

class WaitsTest : public WatchedFolder {
  protected:
    static RawDefinitions& addRegions(RawDefinitions& log) {
        region(log, kWork, "work", Paradigm::User);
        region(log, kCall, "MPI_Call", Paradigm::Mpi, tracing::Role::PointToPoint);
        region(log, kLock, "pthread_mutex_lock", Paradigm::Pthread, tracing::Role::Lock);
        region(log, kBarrier, "!$omp barrier", Paradigm::OpenMp, tracing::Role::Barrier);
        region(log, kCondition, "pthread_cond_wait", Paradigm::Pthread, tracing::Role::Function);
        return log;
    }
    /// A rank, and what it did before.
    Folder rank(std::uint32_t number, std::uint32_t size, RawEvents events) const {
        RawDefinitions log = program(number);
        addRegions(log);
        communicator(log, kWorld, size);
        const Folder folder = write("host." + std::to_string(number + 1) + ".0", log);
        events.nextChunk().write(folder);
        return folder;
    }
    /// One that is in a call now that waits for these.
    void waiting(std::uint32_t number, std::uint32_t size, const Things& things, bool oneIsEnough = false,
                 RawEvents before = {}) const {
        const std::uint64_t at = ticks(100);
        before.add(RecordKind::Enter, at, {pair(kCall, 0)});
        setStatus(rank(number, size, before), {}, {note(kMain, at, things, oneIsEnough)});
    }
    /// Rank 0 of two, whose first thread waits for a message of rank 1. Its other thread is in a call that
    /// waits for these.
    void withThread(std::uint32_t call, const Things& things) const {
        RawDefinitions log = program(0);
        addRegions(log);
        communicator(log, kWorld, 2);
        location(log, 1, tracing::LocationKind::Thread, 1);
        const Folder folder = write("host.1.0", log);
        const std::uint64_t at = ticks(100);
        RawEvents first;
        first.add(RecordKind::Enter, at, {pair(kCall, 0)}).nextChunk().write(folder);
        RawEvents second;
        second.add(RecordKind::Enter, at, {pair(call, 0)}).nextChunk().write(folder, 1);
        std::vector<tracing::WaitingNote> notes{note(kMain, at, {receive(1, 7)})};
        if (!things.empty()) notes.push_back(note(1, at, things));
        setStatus(folder, {}, notes);
    }
    static tracing::WaitingNote note(std::uint32_t location, std::uint64_t since, const Things& things,
                                     bool oneIsEnough = false) {
        tracing::WaitingNote note{};
        note.since = since;
        note.thread = pair(location + 1, 1000 + location);
        note.count = pair(static_cast<std::uint32_t>(things.size()), oneIsEnough ? 1 : 0);
        std::copy(things.begin(), things.end(), note.things);
        return note;
    }
    void computing(std::uint32_t number, std::uint32_t size, RawEvents events = {}) const {
        events.add(RecordKind::Enter, ticks(100), {pair(kWork, 0)});
        rank(number, size, events);
    }
    RawEvents messages(RecordKind kind, std::uint32_t peer, std::uint32_t tag, int number) const {
        RawEvents events;
        for (int i = 0; i < number; ++i) events.add(kind, ticks(50), {pair(peer, kWorld), tag, 8});
        return events;
    }
    Waits find(bool isFirst = false) {
        watched_ = std::make_unique<FollowedRun>(run());
        watched_->look();
        if (!isFirst) watched_->look();
        return findWaits(*watched_);
    }

    std::unique_ptr<FollowedRun> watched_;
};

TEST_F(WaitsTest, receiveFromEachOther_isACycle) {
    waiting(0, 2, {receive(1, 7)});
    waiting(1, 2, {receive(0, 8)});
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "a message from rank 1 (tag 7, MPI_COMM_WORLD)");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1));
    EXPECT_THAT(searchWaits(waits.graph()).cycles, ElementsAre(ElementsAre(0, 1)));
}

/// Rank 1 waits for rank 0 and its first thread for rank 1; but another thread of it may send.
TEST_F(WaitsTest, otherThreadOfTheProcessComputes_isNoCycle) {
    withThread(kWork, {});
    waiting(1, 2, {receive(0, 8)});
    const Waits waits = find();
    EXPECT_EQ(threadName(watched_->picture(), waits.at(waits.waits[2].whom.at(0))), "rank 0");
    const WaitFindings found = searchWaits(waits.graph());
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.possibleCycles, IsEmpty());
    ASSERT_EQ(found.culprits.size(), 1U);
    EXPECT_EQ(threadName(watched_->picture(), waits.threads[found.culprits[0].who]), "rank 0, Thread 1");
}

TEST_F(WaitsTest, otherThreadOfTheProcessWaitsForTheSameOne_isACycle) {
    withThread(kCall, {receive(1, 9)});
    waiting(1, 2, {receive(0, 8)});
    EXPECT_THAT(searchWaits(find().graph()).cycles, ElementsAre(ElementsAre(0, 2)));
}

/// What it has sent before says nothing against that: now it waits, and so does the first one for its end.
TEST_F(WaitsTest, firstThreadJoinsOneThatCommunicates_isACycle) {
    RawDefinitions log = program(0);
    addRegions(log);
    communicator(log, kWorld, 2);
    location(log, 1, tracing::LocationKind::Thread, 1);
    const Folder folder = write("host.1.0", log);
    RawEvents first;
    first.add(RecordKind::Enter, ticks(100), {pair(kLock, 0)}).nextChunk().write(folder);
    RawEvents second = messages(RecordKind::MpiSend, 1, 5, 2);
    second.add(RecordKind::Enter, ticks(100), {pair(kCall, 0)}).nextChunk().write(folder, 1);
    setStatus(folder, {},
              {note(kMain, ticks(100), {{pair(1, 0), pair(0, tracing::awaitedCode(AwaitedKind::ThreadEnd))}}),
               note(1, ticks(100), {receive(1, 7)})});
    waiting(1, 2, {receive(0, 8)}, false, messages(RecordKind::MpiRecv, 0, 5, 2));
    const WaitFindings found = searchWaits(find().graph());
    EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 1, 2)));
    EXPECT_EQ(found.behindCycles, 0U);
}

/// Who wakes it is not known, nor what it does then.
TEST_F(WaitsTest, otherThreadOfTheProcessMayBeWoken_mayBeACycle) {
    withThread(kLock, {{pair(0, 0), pair(6, tracing::awaitedCode(AwaitedKind::Semaphore))}});
    waiting(1, 2, {receive(0, 8)});
    const WaitFindings found = searchWaits(find().graph());
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.possibleCycles, ElementsAre(ElementsAre(0, 2)));
}

/// One of them may have gone on before the other one was looked at.
TEST_F(WaitsTest, callsThatWereNotThereAtTheLookBefore_areNoCycle) {
    waiting(0, 2, {receive(1, 7)});
    waiting(1, 2, {receive(0, 8)});
    const Waits waits = find(true);
    EXPECT_EQ(waits.waits[0].what, "a message from rank 1 (tag 7, MPI_COMM_WORLD)");
    EXPECT_THAT(searchWaits(waits.graph()).cycles, IsEmpty());
}

TEST_F(WaitsTest, messageThatWasSent_isNotWaitedFor) {
    waiting(0, 2, {receive(1, 5)}, false, messages(RecordKind::MpiRecv, 1, 5, 1));
    waiting(1, 2, {receive(0, 5)}, false, messages(RecordKind::MpiSend, 0, 5, 2));
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "a message from rank 1 (tag 5, MPI_COMM_WORLD), which was sent");
    EXPECT_THAT(searchWaits(waits.graph()).cycles, IsEmpty());
    EXPECT_THAT(waits.remarks, IsEmpty());
}

TEST_F(WaitsTest, receiveFromAnyone_waitsForOneOfAllOthers) {
    waiting(0, 3, {receive(tracing::kAnyone, tracing::kAnyone)});
    waiting(1, 3, {receive(0, 1)});
    computing(2, 3);
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "a message from anyone (any tag, MPI_COMM_WORLD)");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1, 2));
    EXPECT_TRUE(waits.waits[0].oneIsEnough);
    EXPECT_THAT(searchWaits(waits.graph()).cycles, IsEmpty());
}

TEST_F(WaitsTest, messageWithAnotherTag_isRemarkedOn) {
    waiting(0, 2, {receive(1, 6)}, false, messages(RecordKind::MpiRecv, 1, 5, 1));
    computing(1, 2, messages(RecordKind::MpiSend, 0, 5, 3));
    EXPECT_THAT(find().remarks,
                ElementsAre(HasSubstr("rank 1 has sent 2 messages with tag 5 that rank 0, which "
                                      "waits for tag 6, has not received")));
}

TEST_F(WaitsTest, allMessagesReceived_nothingIsRemarkedOn) {
    waiting(0, 2, {receive(1, 6)}, false, messages(RecordKind::MpiRecv, 1, 5, 3));
    computing(1, 2, messages(RecordKind::MpiSend, 0, 5, 3));
    EXPECT_THAT(find().remarks, IsEmpty());
}

TEST_F(WaitsTest, collective_waitsForThoseWhoHaveNotEntered) {
    RawEvents passed;
    passed.add(RecordKind::MpiCollectiveEnd, ticks(90), {pair(kAllreduce, kWorld), 0, 0, 0});
    waiting(0, 4, {collective(kAllreduce)});
    computing(1, 4);
    waiting(2, 4, {collective(kAllreduce)});
    computing(3, 4, passed);  // has left it already
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "MPI_Allreduce (MPI_COMM_WORLD), which rank 1 has not entered");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1));
    EXPECT_THAT(waits.waits[2].whom, ElementsAre(1));
    EXPECT_FALSE(waits.waits[0].isPartlyKnown);
    const auto found = searchWaits(waits.graph());
    ASSERT_EQ(found.culprits.size(), 1U);
    EXPECT_EQ(found.culprits[0].who, 1U);
    EXPECT_EQ(found.culprits[0].waiting, 2U);
}

/// Operations that earlier calls began, of which requests have these numbers.
RawEvents begun(const std::vector<std::uint64_t>& requests,
                const std::vector<std::uint64_t>& completed = {}) {
    RawEvents events;
    for (const std::uint64_t request : requests)
        events.add(RecordKind::MpiCollectiveRequest, 60, {request, kWorld});
    for (const std::uint64_t request : completed)
        events.add(RecordKind::MpiCollectiveComplete, 70, {pair(kAllreduce, kWorld), 0, 0, 0, request});
    return events;
}

TEST_F(WaitsTest, endOfACollective_waitsForThoseWhoHaveNotBegunIt) {
    waiting(0, 4, {collective(kAllreduce, 8)}, false, begun({7, 8, 9}, {9}));
    computing(1, 4, begun({4}, {4}));
    computing(2, 4, begun({5, 6}));
    computing(3, 4);
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what,
              "the end of an operation like MPI_Allreduce (MPI_COMM_WORLD), which an earlier call began and "
              "ranks 1,3 have not begun");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1, 3));
    EXPECT_FALSE(waits.waits[0].isPartlyKnown);
}

TEST_F(WaitsTest, endOfACollectiveThatAllHaveBegun_isPartlyKnown) {
    waiting(0, 2, {collective(kAllreduce, 7)}, false, begun({7}));
    computing(1, 2, begun({4}));
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].whom, IsEmpty());
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
}

TEST_F(WaitsTest, endOfACollectiveThatNoRecordBegan_isPartlyKnown) {
    waiting(0, 2, {collective(kAllreduce, 7)});
    computing(1, 2);
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].whom, IsEmpty());
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
}

TEST_F(WaitsTest, collectiveOfARankThatIsNotRecorded_isPartlyKnown) {
    waiting(0, 2, {collective(kAllreduce)});
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].what, HasSubstr("of rank 1 that is not known"));
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
}

TEST_F(WaitsTest, differentOperations_areRemarkedOnOnce) {
    waiting(0, 3, {collective(1)});
    waiting(1, 3, {collective(kAllreduce)});
    waiting(2, 3, {collective(kAllreduce)});
    EXPECT_THAT(find().remarks, ElementsAre(HasSubstr("rank 0 is in MPI_Bcast, rank 1 in MPI_Allreduce")));
}

TEST_F(WaitsTest, severalRequests_waitForAllOfThem) {
    waiting(0, 3, {receive(1, 6), receive(2, 6)});
    computing(1, 3);
    computing(2, 3);
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1, 2));
    EXPECT_FALSE(waits.waits[0].oneIsEnough);
}

TEST_F(WaitsTest, moreRequestsThanAreNoted_areSaid) {
    RawEvents events;
    events.add(RecordKind::Enter, ticks(100), {pair(kCall, 0)});
    tracing::WaitingNote one = note(kMain, ticks(100), {receive(1, 6)});
    one.count = pair(9, 0);
    setStatus(rank(0, 2, events), {}, {one});
    computing(1, 2);
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].what, HasSubstr("and 8 more"));
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
}

TEST_F(WaitsTest, sendThatIsNotReceived_waitsForTheReceiver) {
    RawEvents events;
    events.add(RecordKind::Enter, ticks(100), {pair(kCall, 0)});
    events.add(RecordKind::MpiSend, ticks(100), {pair(1, kWorld), 9, 1000});
    rank(0, 2, events);
    computing(1, 2);
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "rank 1 to receive a message (tag 9, MPI_COMM_WORLD)");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1));
}

/// Ranks that wait for the ends of sends.
class SendWaitsTest : public WaitsTest {
  protected:
    /// Events of one that has sent a message with tag 7 to each of these, and has begun as many receives.
    RawEvents sentTo(const std::vector<std::uint32_t>& receivers, std::size_t receives = 0) const {
        RawEvents events;
        for (std::size_t i = 0; i < receives; ++i) events.add(RecordKind::MpiIrecvRequest, ticks(40), {i});
        for (const std::uint32_t one : receivers)
            events.add(RecordKind::MpiIsend, ticks(50), {pair(one, kWorld), 7, 8, 100 + one});
        return events;
    }
    void sending(std::uint32_t rank, const std::vector<std::uint32_t>& receivers, std::size_t receives = 0,
                 std::uint32_t size = 3) const {
        Things things;
        for (const std::uint32_t one : receivers) things.push_back(send(one, 7));
        waiting(rank, size, things, false, sentTo(receivers, receives));
    }
    WaitFindings found() { return searchWaits(find().graph()); }
};

/// A halo exchange, in which rank 0 computes longer than the others.
TEST_F(SendWaitsTest, toEachOtherAndToOneWhoComputes_isNoCycle) {
    computing(0, 3);
    sending(1, {0, 2}, 2);
    sending(2, {0, 1}, 2);
    const WaitFindings findings = found();
    EXPECT_THAT(findings.cycles, IsEmpty());
    EXPECT_THAT(findings.possibleCycles, IsEmpty());
    ASSERT_EQ(findings.culprits.size(), 1U);
    EXPECT_EQ(findings.culprits[0].who, 0U);
    EXPECT_EQ(findings.culprits[0].waiting, 2U);
}

TEST_F(SendWaitsTest, toEachOtherWithReceivesUnderWay_mayBeACycle) {
    sending(0, {1}, 1, 2);
    sending(1, {0}, 1, 2);
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "rank 1 to receive a message (tag 7, MPI_COMM_WORLD)");
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1));
    EXPECT_THAT(waits.waits[0].perhaps, ElementsAre(1));
    EXPECT_THAT(searchWaits(waits.graph()).cycles, IsEmpty());
    EXPECT_THAT(searchWaits(waits.graph()).possibleCycles, ElementsAre(ElementsAre(0, 1)));
}

TEST_F(SendWaitsTest, toEachOtherWithoutReceives_isACycle) {
    sending(0, {1}, 0, 2);
    sending(1, {0}, 0, 2);
    EXPECT_THAT(found().cycles, ElementsAre(ElementsAre(0, 1)));
}

/// Any of them may be complete, as long as another one is not.
TEST_F(SendWaitsTest, ofSeveralMessages_mayBeACycle) {
    sending(0, {1, 2});
    sending(1, {0, 2});
    sending(2, {0, 1});
    const WaitFindings findings = found();
    EXPECT_THAT(findings.cycles, IsEmpty());
    EXPECT_EQ(findings.possibleCycles.size(), 1U);
}

TEST_F(SendWaitsTest, ofSeveralMessagesToOne_isACycle) {
    sending(0, {1, 1}, 0, 2);
    waiting(1, 2, {receive(0, 8)});
    EXPECT_THAT(found().cycles, ElementsAre(ElementsAre(0, 1)));
}

TEST_F(SendWaitsTest, toOneWhoReceivesFromAnyone_isNoSureCycle) {
    sending(0, {1}, 0, 2);
    waiting(1, 2, {receive(tracing::kAnyone, tracing::kAnyone)});
    EXPECT_THAT(found().cycles, IsEmpty());
}

TEST_F(SendWaitsTest, toOneWhoReceivesAnotherTag_isACycle) {
    sending(0, {1}, 0, 2);
    waiting(1, 2, {receive(0, 8)});
    EXPECT_THAT(found().cycles, ElementsAre(ElementsAre(0, 1)));
}

/// Who sends was stopped before it could see this.
TEST_F(SendWaitsTest, ofAMessageThatWasReceived_isNoSureCycle) {
    sending(0, {1}, 0, 2);
    waiting(1, 2, {receive(0, 8)}, false, messages(RecordKind::MpiRecv, 0, 7, 1));
    EXPECT_THAT(found().cycles, IsEmpty());
}

/// While the recording is paused, nothing tells what was received.
TEST_F(SendWaitsTest, toOneWhoWasNotRecordedForAWhile_isNoSureCycle) {
    RawEvents events;
    events.add(RecordKind::MeasurementOff, ticks(20), {}).add(RecordKind::MeasurementOn, ticks(30), {});
    sending(0, {1}, 0, 2);
    waiting(1, 2, {receive(0, 8)}, false, events);
    EXPECT_THAT(found().cycles, IsEmpty());
    EXPECT_EQ(found().possibleCycles.size(), 1U);
}

/// Of a broadcast all need the root, and nobody else.
TEST_F(WaitsTest, operationWithARoot_waitsForSureForWhomItNeeds) {
    constexpr std::uint32_t kBcast = 1;
    waiting(0, 3, {withRoot(kBcast, 2)});
    waiting(1, 3, {receive(0, 1)});
    waiting(2, 3, {receive(0, 1)});
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(1, 2));
    EXPECT_THAT(waits.waits[0].perhaps, ElementsAre(1));
    EXPECT_THAT(searchWaits(waits.graph()).cycles, ElementsAre(ElementsAre(0, 2)));
}

/// Ranks that share a window of MPI, which each of them knows by a number of its own.
class WindowWaitsTest : public WaitsTest {
  protected:
    static constexpr std::uint32_t kRanks = 3;
    static std::uint32_t windowOf(std::uint32_t rank) { return 5 + rank; }
    static tracing::WaitingNote::Thing lockOf(std::uint32_t target, std::uint32_t rank,
                                              bool completes = false) {
        return {pair(target, windowOf(rank)),
                pair(0, tracing::awaitedCode(AwaitedKind::WindowLock, completes ? 1 : 0))};
    }
    RawEvents asked(std::uint32_t rank, std::uint32_t target, bool isExclusive = true) const {
        RawEvents events;
        events.add(RecordKind::RmaRequestLock, ticks(50),
                   {pair(target, windowOf(rank)), isExclusive ? 1U : 0U});
        return events;
    }
    /// It has put something under its lock, and a flush has completed that.
    RawEvents used(std::uint32_t rank, std::uint32_t target, bool isExclusive = true) const {
        RawEvents events = asked(rank, target, isExclusive);
        events.add(RecordKind::RmaPut, ticks(51), {pair(target, windowOf(rank)), 8, 77});
        return events.add(RecordKind::RmaCompleteRemote, ticks(52), {windowOf(rank), 77});
    }
    /// A rank that is in a call now that waits for this, or in one of its own functions.
    void rankWith(std::uint32_t number, RawEvents events, const Things& things = {}) const {
        RawDefinitions log = program(number);
        addRegions(log);
        communicator(log, kWorld, kRanks);
        log.begin(tracing::DefinitionKind::Window).add(windowOf(number)).add(std::uint32_t{0});
        log.add(std::uint32_t{1}).add(kWorld);
        const Folder folder = write("host." + std::to_string(number + 1) + ".0", log);
        const std::uint32_t region = things.empty() ? kWork : kCall;
        events.add(RecordKind::Enter, ticks(100), {pair(region, 0)}).nextChunk().write(folder);
        if (!things.empty()) setStatus(folder, {}, {note(kMain, ticks(100), things)});
    }
};

TEST_F(WindowWaitsTest, lockUnderWhichSomethingIsComplete_isHeld) {
    rankWith(0, {});
    rankWith(1, used(1, 0));
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    const Wait wait = find().waits[2];
    EXPECT_EQ(wait.what, "the lock of rank 0 in window 2 (MPI_COMM_WORLD), which rank 1 holds");
    EXPECT_THAT(wait.whom, ElementsAre(1));
    EXPECT_THAT(wait.perhaps, IsEmpty());
    EXPECT_FALSE(wait.isPartlyKnown);
}

/// MPI may grant it later than its call returned.
TEST_F(WindowWaitsTest, lockThatWasAskedForOnly_isPerhapsHeld) {
    rankWith(0, {});
    rankWith(1, asked(1, 0));
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    const Wait wait = find().waits[2];
    EXPECT_EQ(
        wait.what,
        "the lock of rank 0 in window 2 (MPI_COMM_WORLD), for which rank 1 has asked and not given it back");
    EXPECT_THAT(wait.perhaps, ElementsAre(1));
    EXPECT_TRUE(wait.isPartlyKnown);
}

/// Loads and stores need the lock of the own memory as soon as its call has returned.
TEST_F(WindowWaitsTest, lockOfTheOwnMemory_isHeld) {
    rankWith(0, asked(0, 0));
    rankWith(1, {});
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    EXPECT_THAT(find().waits[2].what, HasSubstr("which rank 0 holds"));
}

TEST_F(WindowWaitsTest, lockOfAllTargets_concernsEachOfThem) {
    rankWith(0, {});
    RawEvents all = asked(1, tracing::kAllProcesses, false);
    all.add(RecordKind::RmaAtomic, ticks(60), {pair(0, windowOf(1)), 0, 8, 8, 9});
    all.add(RecordKind::RmaCompleteRemote, ticks(61), {windowOf(1), 9});
    rankWith(1, all);
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    EXPECT_THAT(find().waits[2].what, HasSubstr("which rank 1 holds"));
}

TEST_F(WindowWaitsTest, sharedLocks_doNotWaitForEachOther) {
    rankWith(0, {});
    rankWith(1, used(1, 0, false));
    rankWith(2, asked(2, 0, false), {lockOf(0, 2)});
    EXPECT_THAT(find().waits[2].what, HasSubstr("whose holder is not known"));
}

TEST_F(WindowWaitsTest, lockThatWasGivenBackOrIsOfAnotherTarget_isNotHeld) {
    rankWith(0, used(0, 1));
    RawEvents released = used(1, 0);
    released.add(RecordKind::RmaReleaseLock, ticks(60), {pair(0, windowOf(1))});
    rankWith(1, released);
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    const Wait wait = find().waits[2];
    EXPECT_THAT(wait.what, HasSubstr("whose holder is not known"));
    EXPECT_THAT(wait.whom, IsEmpty());
}

/// Who waits for the same lock, too, does not have it.
TEST_F(WindowWaitsTest, othersThatWaitForTheLock_areNotItsHolders) {
    rankWith(0, used(0, 0));
    rankWith(1, asked(1, 0), {lockOf(0, 1)});
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    const Waits waits = find();
    EXPECT_THAT(waits.waits[1].whom, ElementsAre(0));
    EXPECT_THAT(waits.waits[2].whom, ElementsAre(0));
}

TEST_F(WindowWaitsTest, unlockOfAHeldLock_waitsPerhapsForItsTarget) {
    rankWith(0, {});
    rankWith(1, {});
    rankWith(2, used(2, 0), {lockOf(0, 2, true)});
    const Wait wait = find().waits[2];
    EXPECT_EQ(wait.what, "what it has done at rank 0 in window 2 (MPI_COMM_WORLD) to be complete");
    EXPECT_THAT(wait.perhaps, ElementsAre(0));
}

/// MPI may ask for the lock as late as there.
TEST_F(WindowWaitsTest, unlockOfALockThatAnotherOneHolds_waitsForThatOne) {
    rankWith(0, {});
    rankWith(1, used(1, 0));
    rankWith(2, asked(2, 0), {lockOf(0, 2, true)});
    EXPECT_THAT(find().waits[2].what, HasSubstr("which rank 1 holds"));
}

TEST_F(WindowWaitsTest, holderThatWaitsForAMessageOfWhoWaitsForItsLock_isACycle) {
    rankWith(0, {});
    rankWith(1, used(1, 0), {receive(2, 7)});
    rankWith(2, asked(2, 0), {lockOf(0, 2)});
    EXPECT_THAT(searchWaits(find().graph()).cycles, ElementsAre(ElementsAre(1, 2)));
}

/// Ranks that use a window with each other by MPI_Win_post, MPI_Win_start, MPI_Win_complete and MPI_Win_wait.
class WindowEpochsTest : public WindowWaitsTest {
  protected:
    static constexpr std::uint32_t kPost = 20, kStart = 21, kComplete = 22, kGroup = 30;

    /// Both ends of such an epoch name a group: its first number, and the ranks that each group consists of.
    void rankIn(std::uint32_t number, std::initializer_list<std::uint32_t> calls, std::uint32_t partner,
                const Things& things = {}) const {
        RawDefinitions log = program(number);
        addRegions(log);
        region(log, kPost, "MPI_Win_post", Paradigm::Mpi, tracing::Role::PointToPoint);
        region(log, kStart, "MPI_Win_start", Paradigm::Mpi, tracing::Role::PointToPoint);
        region(log, kComplete, "MPI_Win_complete", Paradigm::Mpi, tracing::Role::PointToPoint);
        communicator(log, kWorld, kRanks);
        log.begin(tracing::DefinitionKind::Window).add(windowOf(number)).add(std::uint32_t{0});
        log.add(std::uint32_t{1}).add(kWorld);
        log.begin(tracing::DefinitionKind::Group).add(kGroup).add(std::uint32_t{1}).add(partner);
        const Folder folder = write("host." + std::to_string(number + 1) + ".0", log);
        RawEvents events;
        std::uint64_t at = 50;
        for (const std::uint32_t call : calls) {
            events.add(RecordKind::Enter, ticks(at), {pair(call, 0)});
            events.add(RecordKind::RmaGroupSync, ticks(at + 1), {pair(0, windowOf(number)), kGroup});
            events.add(RecordKind::Leave, ticks(at + 2), {call});
            at += 4;
        }
        events.add(RecordKind::Enter, ticks(100), {pair(things.empty() ? kWork : kCall, 0)});
        events.nextChunk().write(folder);
        if (!things.empty()) setStatus(folder, {}, {note(kMain, ticks(100), things)});
    }
    static tracing::WaitingNote::Thing epochOf(std::uint32_t rank, std::uint32_t operation) {
        return {pair(kGroup, windowOf(rank)),
                pair(0, tracing::awaitedCode(AwaitedKind::WindowEpoch, operation))};
    }
};

TEST_F(WindowEpochsTest, accessWithoutExposure_waitsForItsTarget) {
    rankIn(0, {kStart}, 1, {epochOf(0, 0)});
    rankIn(1, {}, 0);
    rankIn(2, {kPost}, 0);
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "MPI_Win_post for window 2 (MPI_COMM_WORLD), which rank 1 has not called");
    EXPECT_THAT(wait.whom, ElementsAre(1));
    EXPECT_THAT(wait.perhaps, IsEmpty());
    EXPECT_FALSE(wait.isPartlyKnown);
}

TEST_F(WindowEpochsTest, secondAccess_needsASecondExposure) {
    rankIn(0, {kStart, kComplete, kStart}, 1, {epochOf(0, 0)});
    rankIn(1, {kPost}, 0);
    rankIn(2, {}, 0);
    EXPECT_THAT(find().waits[0].whom, ElementsAre(1));
}

TEST_F(WindowEpochsTest, accessToExposedMemory_waitsForWhatItDidThere) {
    rankIn(0, {kStart}, 1, {epochOf(0, 0)});
    rankIn(1, {kPost}, 0);
    rankIn(2, {}, 0);
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "what it has done in window 2 (MPI_COMM_WORLD) to be complete");
    EXPECT_THAT(wait.perhaps, ElementsAre(1));
}

TEST_F(WindowEpochsTest, exposure_waitsForTheEndOfAccesses) {
    rankIn(0, {kPost}, 1, {epochOf(0, 1)});
    rankIn(1, {kStart}, 0);
    rankIn(2, {}, 0);
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "MPI_Win_complete for window 2 (MPI_COMM_WORLD), which rank 1 has not completed");
    EXPECT_THAT(wait.whom, ElementsAre(1));
}

TEST_F(WindowEpochsTest, partnerWhoseRecordsAreMissing_isNotBlamed) {
    rankIn(0, {kStart}, 2, {epochOf(0, 0)});
    rankIn(1, {}, 0);
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "MPI_Win_post for window 2 (MPI_COMM_WORLD), and nothing is known of rank 2");
    EXPECT_THAT(wait.whom, IsEmpty());
    EXPECT_TRUE(wait.isPartlyKnown);
}

/// Operations on windows count in the same order as those of their communicator.
TEST_F(WindowWaitsTest, freeingAWindow_waitsForThoseWhoHaveNotCalledIt) {
    RawEvents fence;
    fence.add(RecordKind::RmaCollectiveEnd, ticks(40), {pair(0, windowOf(0)), 0});
    rankWith(0, fence, {collective(static_cast<std::uint32_t>(tracing::Collective::DestroyHandle))});
    RawEvents both;
    for (int i = 0; i < 2; ++i) both.add(RecordKind::RmaCollectiveEnd, ticks(40), {pair(0, windowOf(1)), 0});
    rankWith(1, both);
    RawEvents one;
    one.add(RecordKind::RmaCollectiveEnd, ticks(40), {pair(0, windowOf(2)), 0});
    rankWith(2, one);
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "MPI_Call (MPI_COMM_WORLD), which rank 2 has not entered");
    EXPECT_THAT(wait.whom, ElementsAre(2));
}

/// Ranks that have a file open; who waits in a call of all of them may wait for the file, too.
class FileWaitsTest : public WaitsTest {
  protected:
    static constexpr std::uint32_t kFile = 3, kHandle = 4, kRanks = 3;

    void rankWith(std::uint32_t number, RawEvents events, const Things& things) const {
        RawDefinitions log = program(number);
        addRegions(log);
        communicator(log, kWorld, kRanks);
        log.begin(tracing::DefinitionKind::Handle).add(kHandle).add(kFile).add(kWorld).add(std::uint32_t{0});
        const Folder folder = write("host." + std::to_string(number + 1) + ".0", log);
        events.add(RecordKind::Enter, ticks(100), {pair(kCall, 0)}).nextChunk().write(folder);
        setStatus(folder, {}, {note(kMain, ticks(100), things)});
    }
    RawEvents opened() const {
        RawEvents events;
        return events.add(RecordKind::FileOpened, ticks(40), {pair(kHandle, 0), 0});
    }
    /// One after the other; others who are through do not wait for those that are not.
    RawEvents written() const {
        constexpr auto kFlag = static_cast<std::uint64_t>(tracing::IoOperationFlag::Collective);
        RawEvents events = opened();
        events.add(RecordKind::FileBegin, ticks(50), {pair(kHandle, 1), kFlag, 8, 7});
        return events.add(RecordKind::FileComplete, ticks(60), {kHandle, 8, 7});
    }
};

TEST_F(FileWaitsTest, callOfAll_waitsPerhapsForThoseWhoHaveNotEntered) {
    const Things call{collective(tracing::kCollectiveFileCall)};
    rankWith(0, opened(), call);
    rankWith(1, written(), {receive(0, 1)});
    rankWith(2, opened(), {receive(0, 1)});
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "MPI_Call (MPI_COMM_WORLD), which rank 2 has not entered");
    EXPECT_THAT(waits.waits[0].perhaps, ElementsAre(2));
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
    EXPECT_THAT(searchWaits(waits.graph()).cycles, IsEmpty());
    EXPECT_THAT(searchWaits(waits.graph()).possibleCycles, ElementsAre(ElementsAre(0, 2)));
}

/// Threads of one process.
class ThreadWaitsTest : public WaitsTest {
  protected:
    Folder threads(std::uint32_t number) const {
        RawDefinitions log = program();
        addRegions(log);
        for (std::uint32_t i = 1; i < number; ++i) location(log, i, tracing::LocationKind::Thread, i);
        return write("host.1.0", log);
    }
    void enter(const Folder& folder, std::uint32_t location, std::uint32_t region,
               RawEvents events = {}) const {
        events.add(RecordKind::Enter, ticks(100), {pair(region, 0)}).nextChunk().write(folder, location);
    }
    /// It proves its life from another machine, of which this one's kernel knows nothing.
    static void moveElsewhere(const Folder& folder) {
        std::stringstream text;
        text << std::ifstream(folder / "alive").rdbuf();
        std::string alive = text.str();
        const std::string boot = archive::bootId();
        alive.replace(alive.find(boot), boot.size(), std::string(boot.size(), 'e'));
        std::ofstream(folder / "alive") << alive;
    }
    static tracing::WaitingNote::Thing lock(std::uint32_t number, std::uint32_t holder) {
        return {pair(holder, 0), pair(number, tracing::awaitedCode(AwaitedKind::Lock))};
    }
};

TEST_F(ThreadWaitsTest, lockOfAThreadThatWaits_isHeldByIt) {
    const Folder folder = threads(2);
    enter(folder, 0, kLock);
    enter(folder, 1, kLock);
    setStatus(folder, {}, {note(0, ticks(100), {lock(5, 1001)}), note(1, ticks(100), {lock(6, 1000)})});
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].what, HasSubstr("lock 5, which process 42 on host, Thread 1 holds"));
    EXPECT_THAT(searchWaits(waits.graph()).cycles, ElementsAre(ElementsAre(0, 1)));
}

TEST_F(ThreadWaitsTest, lockThatWasReleasedSince_hasNoKnownHolder) {
    const Folder folder = threads(2);
    RawEvents released;
    enter(folder, 0, kLock);
    released.add(RecordKind::ReleaseLock, ticks(120), {pair(5, 1), 4}).nextChunk().write(folder, 1);
    setStatus(folder, {}, {note(0, ticks(100), {lock(5, 1001)}), note(1, ticks(50), {})});
    const Waits waits = find();
    EXPECT_EQ(waits.waits[0].what, "lock 5, whose holder is not known");
    EXPECT_TRUE(waits.waits[0].isPartlyKnown);
}

TEST_F(ThreadWaitsTest, lockWhoseAcquisitionIsRecorded_isHeldByThatThread) {
    const Folder folder = threads(3);
    RawEvents acquired;
    acquired.add(RecordKind::AcquireLock, ticks(110), {pair(5, 2), 4});
    enter(folder, 0, kLock);
    acquired.nextChunk().write(folder, 2);
    setStatus(folder, {}, {note(0, ticks(100), {lock(5, 0)})});
    EXPECT_THAT(find().waits[0].what, HasSubstr("Thread 2 holds"));
}

/// Two others have been at the barrier; one of them is there again.
TEST_F(ThreadWaitsTest, barrierOfThreads_waitsForThoseWhoCameBeforeAndAreNotThere) {
    constexpr std::uint64_t kSystem = static_cast<std::uint64_t>(tracing::Paradigm::System);
    const Folder folder = threads(3);
    for (const std::uint32_t thread : {1U, 2U}) {
        RawEvents events;
        events.add(RecordKind::ReleaseLock, ticks(50), {pair(5, thread), kSystem});
        events.add(RecordKind::AcquireLock, ticks(60), {pair(5, 4), kSystem});
        if (thread == 2) events.add(RecordKind::ReleaseLock, ticks(90), {pair(5, 4), kSystem});
        enter(folder, thread, kWork, events);
    }
    enter(folder, 0, kLock);
    setStatus(folder, {},
              {note(0, ticks(100), {{pair(1, 0), pair(5, tracing::awaitedCode(AwaitedKind::Barrier))}})});
    const Wait wait = find().waits[0];
    EXPECT_EQ(wait.what, "the others at barrier 5; not there, but came before: process 42 on host, Thread 1");
    EXPECT_THAT(wait.perhaps, ElementsAre(1));
    EXPECT_TRUE(wait.isPartlyKnown);
}

TEST_F(ThreadWaitsTest, semaphore_waitsForWhoPostedBefore) {
    constexpr std::uint64_t kSystem = static_cast<std::uint64_t>(tracing::Paradigm::System);
    const Folder folder = threads(2);
    RawEvents posted;
    posted.add(RecordKind::ReleaseLock, ticks(50), {pair(5, 1), kSystem});
    enter(folder, 1, kWork, posted);
    enter(folder, 0, kLock);
    const auto semaphore = [](std::uint32_t number) {
        return tracing::WaitingNote::Thing{pair(0, 0),
                                           pair(number, tracing::awaitedCode(AwaitedKind::Semaphore))};
    };
    setStatus(folder, {}, {note(0, ticks(100), {semaphore(5)})});
    EXPECT_EQ(find().waits[0].what, "semaphore 5, for which posted before: process 42 on host, Thread 1");
    setStatus(folder, {}, {note(0, ticks(100), {semaphore(6)})});
    EXPECT_EQ(find().waits[0].what, "semaphore 6, for which nobody is known to post");
}

/// Two wait for a signal, and the first one for the end of one of them. The kernel tells of a thread that
/// runs: that of this test.
TEST_F(ThreadWaitsTest, signalThatNoThreadIsLeftToGive_isRemarkedOn) {
    const Things join{{pair(1, 0), pair(0, tracing::awaitedCode(AwaitedKind::ThreadEnd))}};
    const Folder folder = threads(3);
    enter(folder, 0, kLock);
    for (const std::uint32_t thread : {1U, 2U}) enter(folder, thread, kCondition);
    setStatus(folder, {}, {note(0, ticks(100), join)});
    EXPECT_THAT(find().remarks, IsEmpty());
    moveElsewhere(folder);
    EXPECT_THAT(find().remarks, ElementsAre("all 3 threads of process 42 on host wait for each other, or in "
                                            "pthread_cond_wait for a signal that none of them can give"));
    EXPECT_THAT(find(true).remarks, IsEmpty());  // whether they stay there is not known
}

TEST_F(ThreadWaitsTest, signalThatAThreadMayGive_isNotRemarkedOn) {
    const Folder folder = threads(3);
    enter(folder, 0, kCondition);
    enter(folder, 1, kCondition);
    enter(folder, 2, kWork);
    EXPECT_THAT(find().remarks, IsEmpty());
}

/// A message may come.
TEST_F(ThreadWaitsTest, signalBesideAThreadThatOthersWake_isNotRemarkedOn) {
    withThread(kCondition, {});
    EXPECT_THAT(find().remarks, IsEmpty());
}

TEST_F(ThreadWaitsTest, endOfAThread_isWaitedFor) {
    const Folder folder = threads(2);
    enter(folder, 0, kLock);
    enter(folder, 1, kWork);
    setStatus(folder, {},
              {note(0, ticks(100), {{pair(1, 0), pair(0, tracing::awaitedCode(AwaitedKind::ThreadEnd))}})});
    EXPECT_EQ(find().waits[0].what, "the end of thread 1");
    EXPECT_THAT(find().waits[0].whom, ElementsAre(1));
}

TEST_F(ThreadWaitsTest, barrier_waitsForThoseOfTheTeamWhoAreNotThere) {
    RawDefinitions log = program();
    addRegions(log);
    for (std::uint32_t i = 1; i < 3; ++i) location(log, i, tracing::LocationKind::Place, i);
    log.begin(tracing::DefinitionKind::Team).add(std::uint32_t{1}).add(kMain).add(std::uint32_t{1});
    log.add(std::uint32_t{3});
    const Folder folder = write("host.1.0", log);
    for (std::uint32_t i = 0; i < 3; ++i) {
        RawEvents events;
        events.add(RecordKind::ThreadTeamBegin, ticks(90), {1});
        enter(folder, i, i == 2 ? kWork : kBarrier, events);
    }
    const Waits waits = find();
    EXPECT_THAT(waits.waits[0].whom, ElementsAre(2));
    EXPECT_THAT(waits.waits[1].whom, ElementsAre(2));
    EXPECT_THAT(waits.waits[0].what, HasSubstr("of which Thread 2 is not in a barrier"));
    EXPECT_FALSE(waits.waits[0].isPartlyKnown);
    EXPECT_EQ(waits.waits[2].what, "");
}

TEST(RanksText, numbersInARow_areARange) {
    EXPECT_EQ(rangesOf({3, 0, 1, 2, 7, 9, 10}), "0-3,7,9,10");
    EXPECT_EQ(rangesOf({}), "");
}

TEST(RanksText, thousandsApart_areTheFirstAndTheLast) {
    std::vector<std::uint32_t> even;
    for (std::uint32_t i = 0; i < 4096; i += 2) even.push_back(i);
    EXPECT_EQ(rangesOf(even), "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,…,4094 (2048 in all)");
}

}  // namespace
}  // namespace holos::watch
