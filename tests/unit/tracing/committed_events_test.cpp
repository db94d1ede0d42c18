// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/committed_events.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"

namespace holos::archive {
namespace {

using holos::testing::RawEvents;
using tracing::RecordKind;
using Ticks = std::vector<std::uint64_t>;

constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();

class CommittedEventsTest : public ::testing::Test {
  protected:
    CommittedEventsTest() {
        process_.events = directory_.path() / "events";
        process_.syncs.push_back({});
    }
    CommittedEvents committed(std::uint64_t until = kAll) const { return committedEvents(process_, until); }
    Ticks ticksIn(const ChunkPlaces& chunks) const {
        Ticks ticks;
        if (chunks.empty()) return ticks;
        EventFile file(process_.eventFile(), chunks.at(0), 0, 0);
        while (const auto record = file.next()) ticks.push_back(record->ticks);
        return ticks;
    }
    /// As a thread that goes on to record.
    void put(std::uint64_t offset, const std::vector<std::uint64_t>& words) const {
        std::fstream file(process_.eventFile(), std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(offset));
        file.write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    }

    holos::testing::TemporaryDirectory directory_;
    RecordedProcess process_;
};

TEST_F(CommittedEventsTest, laterRecords_areNotAmongThem) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).add(RecordKind::Leave, 11, {1}).nextChunk();
    events.write(directory_.path());
    const auto found = committed();
    put(sizeof(std::uint64_t) * 5, {tracing::header(RecordKind::Enter, 12), 1});
    EXPECT_EQ(ticksIn(found.chunks), (Ticks{10, 11}));
    EXPECT_EQ(found.newest, 11);
    EXPECT_EQ(ticksIn(committed().chunks), (Ticks{10, 11, 12}));
}

TEST_F(CommittedEventsTest, laterChunks_areNotAmongThem) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk();
    events.write(directory_.path());
    const auto found = committed();
    RawEvents more;
    more.add(RecordKind::Enter, 20, {1}).nextChunk();
    more.write(directory_.path());
    EXPECT_EQ(ticksIn(found.chunks), Ticks{10});
}

TEST_F(CommittedEventsTest, recordWithoutHeader_isNotAmongThem) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk();
    events.write(directory_.path());
    put(sizeof(std::uint64_t) * 4, {7});  // its words are written before
    EXPECT_EQ(ticksIn(committed().chunks), Ticks{10});
}

TEST_F(CommittedEventsTest, untilAMoment_endsThereInWhicheverChunkThatIs) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).add(RecordKind::Leave, 20, {1}).nextChunk();
    events.add(RecordKind::Enter, 30, {1}).nextChunk().add(RecordKind::Leave, 40, {1}).nextChunk();
    events.write(directory_.path());
    EXPECT_EQ(ticksIn(committed(30).chunks), (Ticks{10, 20, 30}));
    EXPECT_EQ(ticksIn(committed(15).chunks), Ticks{10});
    EXPECT_TRUE(committed(9).chunks.empty());
    EXPECT_FALSE(committed(9).newest);
}

TEST_F(CommittedEventsTest, chunkWithoutRecords_isNotAmongThem) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk().nextChunk();
    events.write(directory_.path());
    put(tracing::kChunkBytes, {tracing::chunkHead(0, tracing::kChunkBytes)});
    EXPECT_EQ(committed().chunks.at(0).size(), 1U);
}

TEST_F(CommittedEventsTest, noFile_none) {
    EXPECT_TRUE(committed().chunks.empty());
}

class OverwrittenCopyTest : public CommittedEventsTest {
  protected:
    Ticks ticksOfCopy() {
        const auto from = process_.events;
        process_.events = directory_.path() / "copy";
        copyOverwritten(from, process_.events, 0);
        return ticksIn(committed().chunks);
    }
    bool isCut() const { return EventFile(process_.eventFile(), committed().chunks.at(0), 0, 0).isCut(); }
};

TEST_F(OverwrittenCopyTest, oldestFirst_andSaysThatThereWereOlder) {
    RawEvents events;
    events.add(RecordKind::Overwritten, 40, {}).add(RecordKind::Enter, 41, {1}).nextChunk();
    events.add(RecordKind::Enter, 20, {1}).nextChunk().add(RecordKind::Leave, 30, {1}).nextChunk();
    events.write(directory_.path());
    EXPECT_EQ(ticksOfCopy(), (Ticks{20, 30, 41}));
    EXPECT_TRUE(isCut());
}

TEST_F(OverwrittenCopyTest, nothingOverwrittenYet_isNotCut) {
    RawEvents events;
    events.add(RecordKind::Enter, 20, {1}).nextChunk().add(RecordKind::Leave, 30, {1}).nextChunk();
    events.write(directory_.path());
    EXPECT_EQ(ticksOfCopy(), (Ticks{20, 30}));
    EXPECT_FALSE(isCut());
}

}  // namespace
}  // namespace holos::archive
