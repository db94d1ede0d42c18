// SPDX-License-Identifier: BSD-3-Clause
// Traces of threads that kept only their newest events: what is paired belongs together.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recorder/core/events.h"

namespace holos::archive {
namespace {

using ::testing::IsEmpty;

class NewestEvents : public ConversionTest {
  protected:
    NewestEvents() {
        std::ofstream(recording() / "command.json")
            << R"({"settings": {"buffer": 4096, "when-full": "newest"}})";
    }

    /// Of one of two ranks, whose oldest events were overwritten.
    void writeRank(std::uint32_t rank, const RawEvents& events, bool ended = true) {
        auto log = program();
        log.world(rank, 2).begin(DefinitionKind::Comm).add(1U).add(0U).add(0U);
        log.text("MPI_COMM_WORLD").add(2U).add(0U).add(rank).add(0U);
        if (ended) log.sync(3'000, 1'500);
        events.write(writeProcess(recording(), "host." + std::to_string(rank) + ".0", log, ended));
    }
    static RawEvents cut(std::uint64_t ticks) { return RawEvents().add(RecordKind::Overwritten, ticks, {}); }
    /// What is in the trace of a kind of events; the bytes of a message are its number.
    std::vector<std::string> eventsWith(const std::string& word) const {
        std::vector<std::string> found;
        for (const std::string& event : events())
            if (event.find(word) != std::string::npos) found.push_back(event);
        return found;
    }
    std::vector<std::string> notesWith(const std::string& word) const {
        std::vector<std::string> found;
        const nlohmann::json all = measurement();
        for (const std::string note : all["notes"])
            if (note.find(word) != std::string::npos) found.push_back(note);
        return found;
    }
    static constexpr const char* kAsCalls = "in the trace as calls only";
};

TEST_F(NewestEvents, sendsWhoseReceivesWereOverwritten_areNoMessages) {
    RawEvents sender = cut(1'100);
    for (std::uint64_t n = 1; n <= 3; ++n)
        sender.add(RecordKind::MpiSend, 1'100 + 100 * n, {pair(1, 1), 5, n});
    writeRank(0, sender);
    writeRank(1, cut(1'350).add(RecordKind::MpiRecv, 1'450, {pair(0, 1), 5, 3}));
    finish(directory_.path());
    EXPECT_THAT(eventsWith("send"), ElementsAre("0 200 send to 1 tag 5 bytes 3"));
    EXPECT_THAT(notesWith(kAsCalls),
                ElementsAre("2 messages in the trace as calls only: what belongs to them was "
                            "overwritten in other threads"));
}

TEST_F(NewestEvents, receivesWhoseSendsWereOverwritten_areNoMessages) {
    writeRank(0, cut(1'350).add(RecordKind::MpiSend, 1'400, {pair(1, 1), 5, 3}));
    RawEvents receiver = cut(1'100);
    for (std::uint64_t n = 1; n <= 3; ++n)
        receiver.add(RecordKind::MpiRecv, 1'150 + 100 * n, {pair(0, 1), 5, n});
    writeRank(1, receiver);
    finish(directory_.path());
    EXPECT_THAT(eventsWith("send"), ElementsAre("0 200 send to 1 tag 5 bytes 3"));
    EXPECT_EQ(notesWith(kAsCalls).size(), 1u);
}

// Message 4 was sent and not received when both were killed; message 2 was sent before what the sender kept.
TEST_F(NewestEvents, ofKilledProcesses_messagesArePairedByTime) {
    RawEvents sender = cut(1'350);
    sender.add(RecordKind::MpiSend, 1'400, {pair(1, 1), 5, 3})
        .add(RecordKind::MpiSend, 1'500, {pair(1, 1), 5, 4});
    writeRank(0, sender, false);
    RawEvents receiver = cut(1'250);
    receiver.add(RecordKind::MpiRecv, 1'300, {pair(0, 1), 5, 2})
        .add(RecordKind::MpiRecv, 1'450, {pair(0, 1), 5, 3});
    writeRank(1, receiver, false);
    finish(directory_.path());
    EXPECT_EQ(eventsWith("send").size(), 2u);
    EXPECT_THAT(notesWith(kAsCalls),
                ElementsAre("1 message in the trace as calls only: what belongs to them was "
                            "overwritten in other threads"));
}

TEST_F(NewestEvents, collectiveOperationsThatOthersHaveOverwritten_areCallsOnly) {
    const std::uint64_t barrier = pair(static_cast<std::uint32_t>(tracing::Collective::Barrier), 1);
    const auto operations = [&](std::uint64_t first, std::uint64_t number) {
        RawEvents all = cut(first - 10);
        for (std::uint64_t n = 0; n < number; ++n)
            all.add(RecordKind::MpiCollectiveBegin, first + 100 * n, {})
                .add(RecordKind::MpiCollectiveEnd, first + 100 * n + 50, {barrier, 0, 0, 0});
        return all;
    };
    writeRank(0, operations(1'200, 3));
    writeRank(1, operations(1'400, 1));
    finish(directory_.path());
    EXPECT_THAT(notesWith(kAsCalls),
                ElementsAre("2 collective operations in the trace as calls only: what belongs "
                            "to them was overwritten in other threads"));
}

// The first message was taken back, so that the receives are those of the others.
TEST_F(NewestEvents, cancelledMessages_haveNoReceives) {
    RawEvents sender = cut(1'100);
    for (std::uint64_t n = 1; n <= 3; ++n) {
        sender.add(RecordKind::MpiIsend, 1'100 + 100 * n, {pair(1, 1), 5, n, n});
        sender.add(n == 1 ? RecordKind::MpiRequestCancelled : RecordKind::MpiIsendComplete, 1'110 + 100 * n,
                   {n});
    }
    writeRank(0, sender);
    writeRank(1, cut(1'250)
                     .add(RecordKind::MpiRecv, 1'350, {pair(0, 1), 5, 2})
                     .add(RecordKind::MpiRecv, 1'450, {pair(0, 1), 5, 3}));
    finish(directory_.path());
    EXPECT_THAT(notesWith(kAsCalls), IsEmpty());
}

// Of the receiver's call that began before what it kept, nobody knows for how long it waited. Persistent
// requests complete hundreds of messages in one call.
TEST_F(NewestEvents, callWhoseStartWasOverwritten_hasNoMessages) {
    RawEvents sender;
    for (std::uint64_t n = 1; n <= 3; ++n)
        sender.add(RecordKind::MpiSend, 1'100 + 100 * n, {pair(1, 1), 5, n});
    writeRank(0, sender);
    writeRank(1, cut(1'250)
                     .add(RecordKind::MpiIrecvRequest, 1'255, {7})
                     .add(RecordKind::MpiRecv, 1'260, {pair(0, 1), 5, 1})
                     .add(RecordKind::MpiRecv, 1'310, {pair(0, 1), 5, 2})
                     .add(RecordKind::Leave, 1'320, {1})
                     .add(RecordKind::Enter, 1'350, {pair(1, 0)})
                     .add(RecordKind::MpiRecv, 1'450, {pair(0, 1), 5, 3})
                     .add(RecordKind::Leave, 1'460, {1}));
    finish(directory_.path());
    EXPECT_THAT(eventsWith("send"), ElementsAre("0 200 send to 1 tag 5 bytes 3"));
    EXPECT_THAT(notesWith(kAsCalls),
                ElementsAre("2 messages in the trace as calls only: what belongs to them was "
                            "overwritten in other threads"));
}

TEST_F(NewestEvents, withoutLoss_nothingIsLeftOut) {
    writeRank(0, RawEvents().add(RecordKind::MpiSend, 1'200, {pair(1, 1), 5, 1}));
    writeRank(1, RawEvents(), false);
    finish(directory_.path());
    EXPECT_THAT(eventsWith("send"), ElementsAre("0 100 send to 1 tag 5 bytes 1"));
    EXPECT_THAT(notesWith(kAsCalls), IsEmpty());
}

// The worker has kept more: it begins in a team whose fork was overwritten.
TEST_F(NewestEvents, teamsWhoseForkWasOverwritten_areNotThoseOfTheNextFork) {
    auto log = program();
    location(log, 1, LocationKind::Place, 1, 1);
    log.begin(DefinitionKind::Team).add(1U).add(0U).add(1U).add(2U).sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    const std::uint64_t fork = pair(static_cast<std::uint32_t>(tracing::Paradigm::OpenMp), 2);
    const auto join = static_cast<std::uint64_t>(tracing::Paradigm::OpenMp);
    cut(1'350)
        .add(RecordKind::ThreadTeamEnd, 1'370, {1})
        .add(RecordKind::ThreadJoin, 1'380, {join})
        .add(RecordKind::ThreadFork, 1'400, {fork})
        .add(RecordKind::ThreadTeamBegin, 1'410, {1})
        .add(RecordKind::ThreadTeamEnd, 1'470, {1})
        .add(RecordKind::ThreadJoin, 1'480, {join})
        .write(folder);
    cut(1'200)
        .add(RecordKind::ThreadTeamBegin, 1'310, {1})
        .add(RecordKind::ThreadTeamEnd, 1'360, {1})
        .add(RecordKind::ThreadTeamBegin, 1'420, {1})
        .add(RecordKind::ThreadTeamEnd, 1'460, {1})
        .write(folder, 1);
    finish(directory_.path());
    EXPECT_THAT(eventsWith(" team 0"), ElementsAre("0 205 team 0", "4294967296 210 team 0",
                                                   "4294967296 230 end team 0", "0 235 end team 0"));
    EXPECT_THAT(eventsWith("fork"), ElementsAre("0 200 fork"));
}

}  // namespace
}  // namespace holos::archive
