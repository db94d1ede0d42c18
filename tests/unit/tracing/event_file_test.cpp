// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/event_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/format/record.h"

namespace holos::archive {
namespace {

using holos::testing::RawEvents;
using tracing::RecordKind;

class EventFileTest : public ::testing::Test {
  protected:
    std::vector<std::uint64_t> ticksOf(const RawEvents& events, std::size_t counters = 0) {
        EventFile file = fileWith(events, counters);
        std::vector<std::uint64_t> ticks;
        while (const auto record = file.next()) ticks.push_back(record->ticks);
        damaged_ = file.damaged();
        return ticks;
    }
    EventFile fileWith(const RawEvents& events, std::size_t counters = 0) {
        std::filesystem::remove(path());
        events.write(directory_.path());
        return fileAgain(counters);
    }
    EventFile fileAgain(std::size_t counters = 0) const {
        auto chunks = chunkPlaces(path());
        return {path(), chunks[0], counters, 0};
    }
    std::filesystem::path path() const { return directory_.path() / "events"; }

    holos::testing::TemporaryDirectory directory_;
    bool damaged_ = false;
};

using Ticks = std::vector<std::uint64_t>;

TEST_F(EventFileTest, records_inOneChunk_areReadInOrder) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1})
        .add(RecordKind::MpiSend, 11, {1, 2, 3})
        .add(RecordKind::Leave, 12, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{10, 11, 12}));
    EXPECT_FALSE(damaged_);
}

TEST_F(EventFileTest, zeroHeader_endsTheChunk_andTheNextOneFollows) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk().add(RecordKind::Leave, 20, {1}).nextChunk();
    EXPECT_EQ(ticksOf(events), (Ticks{10, 20}));
}

TEST_F(EventFileTest, overwrittenChunks_areReadFromTheOldest) {
    RawEvents events;
    events.add(RecordKind::Overwritten, 40, {}).add(RecordKind::Enter, 41, {1}).nextChunk();
    events.add(RecordKind::Enter, 20, {1}).nextChunk().add(RecordKind::Leave, 30, {1}).nextChunk();
    EXPECT_EQ(ticksOf(events), (Ticks{20, 30, 41}));
    EventFile file = fileAgain();
    EXPECT_TRUE(file.isCut());
}

TEST_F(EventFileTest, newest_isTheLastOfTheNewestChunkWithRecords) {
    const auto newestOf = [this](const RawEvents& events) { return fileWith(events).newest(); };
    RawEvents events;
    EXPECT_FALSE(newestOf(events));
    events.add(RecordKind::Enter, 10, {1}).nextChunk().add(RecordKind::Leave, 20, {1});
    EXPECT_EQ(newestOf(events), 20u);
    EXPECT_EQ(newestOf(events.nextChunk().nextChunk()), 20u);
    RawEvents ring;
    ring.add(RecordKind::Overwritten, 40, {}).add(RecordKind::Enter, 41, {1}).nextChunk();
    ring.add(RecordKind::Enter, 20, {1}).nextChunk().add(RecordKind::Leave, 30, {1}).nextChunk();
    EXPECT_EQ(newestOf(ring), 41u);
}

/// Words of a record: region, number, time inside, end, enter of one that is open.
using Words = std::vector<std::uint64_t>;

TEST_F(EventFileTest, polls_areOneCallThatEndsWithTheLast) {
    RawEvents events;
    events.add(RecordKind::Polls, 20, {1, 3, 12, 50, 0}).add(RecordKind::Enter, 60, {2});
    EventFile file = fileWith(events);
    const auto polls = file.next();
    ASSERT_TRUE(polls);
    EXPECT_EQ(polls->kind, RecordKind::Polls);
    EXPECT_EQ(polls->ticks, 50u - 12u);
    EXPECT_EQ(polls->began, 20u);
    EXPECT_EQ(polls->ended, 50u);
    EXPECT_EQ(file.next()->ticks, 60u);
    EXPECT_FALSE(file.next());
}

TEST_F(EventFileTest, pollThatIsOpen_isAnEnterBehindTheOthers) {
    RawEvents events;
    events.add(RecordKind::Polls, 20, {1, 3, 12, 50, 55}).add(RecordKind::Leave, 60, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{38, 55, 60}));
    EventFile file = fileAgain();
    file.next();
    const auto open = file.next();
    EXPECT_EQ(open->kind, RecordKind::Enter);
    EXPECT_EQ(Words(open->words, open->words + open->size), Words{1});
    EXPECT_EQ(fileAgain().newest(), 60u);
}

TEST_F(EventFileTest, onlyPollOfARecord_isAnEnterAlone) {
    RawEvents events;
    events.add(RecordKind::Polls, 20, {1, 0, 0, 20, 20}).add(RecordKind::Leave, 60, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{20, 60}));
}

TEST_F(EventFileTest, recordWithoutPolls_isNothing) {
    RawEvents events;
    events.add(RecordKind::Polls, 20, {1, 0, 0, 20, 0}).add(RecordKind::Enter, 60, {1});
    EXPECT_EQ(ticksOf(events), Ticks{60});
}

TEST_F(EventFileTest, pollsOfWhichANumberIsWrong_doNotRunBackwards) {
    RawEvents events;
    events.add(RecordKind::Polls, 20, {1, 3, 99, 50, 30}).add(RecordKind::Polls, 60, {1, 3, 2, 5, 0});
    EXPECT_EQ(ticksOf(events), (Ticks{20, 50, 60}));
}

TEST_F(EventFileTest, newestOfPolls_isTheirEnd) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).add(RecordKind::Polls, 20, {1, 3, 12, 50, 0});
    EXPECT_EQ(fileWith(events).newest(), 50u);
}

/// Words of a record of sections: region, block, number, times before, in and behind the blocks, end, enters
/// of one that is open and of its block.
TEST_F(EventFileTest, sections_areOneThatEndsWithTheLast) {
    RawEvents events;
    events.add(RecordKind::Sections, 20, {1, 2, 3, 6, 9, 3, 50, 0, 0}).add(RecordKind::Enter, 60, {2});
    EventFile file = fileWith(events);
    const auto sections = file.next();
    ASSERT_TRUE(sections);
    EXPECT_EQ(sections->kind, RecordKind::Sections);
    EXPECT_EQ(sections->ticks, 50u - 18u);
    EXPECT_EQ(sections->began, 20u);
    EXPECT_EQ(sections->ended, 50u);
    EXPECT_EQ(file.next()->ticks, 60u);
    EXPECT_FALSE(file.next());
}

TEST_F(EventFileTest, sectionThatIsOpen_isEnteredWithItsBlock) {
    RawEvents events;
    events.add(RecordKind::Sections, 20, {1, 2, 3, 6, 9, 3, 50, 55, 56}).add(RecordKind::Leave, 60, {2});
    EXPECT_EQ(ticksOf(events), (Ticks{32, 55, 56, 60}));
    EventFile file = fileAgain();
    file.next();
    for (const std::uint64_t region : {1u, 2u}) {
        const auto open = file.next();
        EXPECT_EQ(open->kind, RecordKind::Enter);
        EXPECT_EQ(Words(open->words, open->words + open->size), Words{region});
    }
    RawEvents only;
    only.add(RecordKind::Sections, 20, {1, 0, 0, 0, 0, 0, 20, 20, 23});
    EXPECT_EQ(ticksOf(only), Ticks{20});
}

TEST_F(EventFileTest, sectionsOfWhichANumberIsWrong_doNotRunBackwards) {
    RawEvents events;
    events.add(RecordKind::Sections, 20, {1, 2, 3, 16, 19, 13, 50, 30, 25})
        .add(RecordKind::Sections, 60, {1, 2, 3, 4, 4, 4, 5, 0, 0});
    EXPECT_EQ(ticksOf(events), (Ticks{20, 50, 50, 60}));
}

TEST_F(EventFileTest, countersRecord_hasAWordForEach) {
    RawEvents events;
    events.add(RecordKind::Counters, 10, {1, 2, 3}).add(RecordKind::Enter, 10, {1});
    EXPECT_EQ(ticksOf(events, 3), (Ticks{10, 10}));
}

TEST_F(EventFileTest, sample_hasAsManyAddressesAsItSays) {
    RawEvents events;
    events.add(RecordKind::Sample, 10, {tracing::pair(3, 1), 0, 0xA, 0xB, 0xC})
        .add(RecordKind::Sample, 11, {tracing::pair(0, 1), 0})
        .add(RecordKind::Enter, 12, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{10, 11, 12}));
    EXPECT_FALSE(damaged_);
}

TEST_F(EventFileTest, sampleLongerThanItsChunk_leavesOutTheRest) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1})
        .add(RecordKind::Sample, 11, {tracing::pair(0xFFFFFFFF, 1), 0, 0xA});
    EXPECT_EQ(ticksOf(events), (Ticks{10}));
    EXPECT_TRUE(damaged_);
}

/// Chunks of one unit, one that was not begun, and one as large as most.
TEST_F(EventFileTest, chunksOfAllSizes_areFound) {
    std::vector<std::uint64_t> words(3 * tracing::kUnitBytes / sizeof(std::uint64_t));
    words[0] = tracing::chunkHead(1, tracing::kUnitBytes);
    words[2 * tracing::kUnitBytes / sizeof(std::uint64_t)] = tracing::chunkHead(1, tracing::kChunkBytes);
    std::ofstream(path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    const auto places = chunkPlaces(path());
    ASSERT_EQ(places.size(), 1u);
    ASSERT_EQ(places.at(1).size(), 2u);
    EXPECT_EQ(places.at(1)[0].offset, 0u);
    EXPECT_EQ(places.at(1)[0].bytes, tracing::kUnitBytes);
    EXPECT_EQ(places.at(1)[1].offset, 2 * tracing::kUnitBytes);
    EXPECT_EQ(places.at(1)[1].bytes, tracing::kChunkBytes);
}

TEST_F(EventFileTest, chunksBehindTheEndThatIsUsed_areNotLookedFor) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk().add(RecordKind::Leave, 20, {1}).nextChunk();
    events.write(directory_.path());
    EXPECT_EQ(chunkPlaces(path()).at(0).size(), 2u);
    EXPECT_EQ(chunkPlaces(path(), tracing::kChunkBytes + 1).at(0).size(), 2u);
    EXPECT_EQ(chunkPlaces(path(), tracing::kChunkBytes).at(0).size(), 1u);
}

TEST_F(EventFileTest, missingFile_hasNoRecords) {
    EXPECT_TRUE(chunkPlaces(path()).empty());
    EventFile file(path(), {}, 0, 0);
    EXPECT_FALSE(file.next().has_value());
    EXPECT_FALSE(file.damaged());
}

TEST_F(EventFileTest, unknownKind_leavesOutTheRestOfTheChunk) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1})
        .add(static_cast<RecordKind>(250), 11, {1})
        .nextChunk()
        .add(RecordKind::Leave, 20, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{10, 20}));
    EXPECT_TRUE(damaged_);
}

TEST_F(EventFileTest, recordCutOffByTheEndOfTheFile_isLeftOut) {
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).add(RecordKind::MpiSend, 11, {1});
    EXPECT_EQ(ticksOf(events), (Ticks{10}));
    EXPECT_TRUE(damaged_);
}

/// Three chunks of two records each, and what the program noted of them.
class ProvenEvents : public EventFileTest {
  protected:
    static constexpr std::uint64_t kChunk = tracing::kChunkBytes;
    static constexpr std::uint64_t kWord = sizeof(std::uint64_t);

    void SetUp() override {
        RawEvents events;
        for (const std::uint64_t ticks : {10, 20, 30})
            events.add(RecordKind::Enter, ticks, {1}).add(RecordKind::Leave, ticks + 1, {1}).nextChunk();
        events.write(directory_.path());
        std::ifstream file(path(), std::ios::binary);
        for (std::uint64_t offset = 0; offset != 3 * kChunk; offset += kChunk) {
            std::uint64_t words[4];
            file.seekg(static_cast<std::streamoff>(offset + kWord));
            file.read(reinterpret_cast<char*>(words), sizeof words);
            proofs_[offset] = {0, kChunk, 4, tracing::sumOfSomeWords(words, 4)};
        }
    }
    /// The file system has lost them.
    void lose(std::uint64_t offset, std::size_t bytes) const {
        std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(offset));
        file.write(std::string(bytes, '\0').data(), static_cast<std::streamsize>(bytes));
    }
    struct Read {
        std::vector<std::uint64_t> ticks;
        std::vector<std::uint64_t> behindLosses;
        std::uint64_t lostBytes = 0;
        bool endsWithLoss = false;
        bool isCut = false;
    };
    Read read() const {
        EventFile file(path(), chunkPlaces(path(), ChunkPlace::kAll, proofs_)[0], 0, 0);
        Read read;
        read.isCut = file.isCut();
        while (const auto record = file.next()) {
            read.ticks.push_back(record->ticks);
            if (record->isAfterLoss) read.behindLosses.push_back(record->ticks);
        }
        read.lostBytes = file.lostBytes();
        read.endsWithLoss = file.endsWithLoss();
        return read;
    }

    ChunkProofs proofs_;
};

TEST_F(ProvenEvents, thatAreThere_loseNothing) {
    const Read found = read();
    EXPECT_EQ(found.ticks, (Ticks{10, 11, 20, 21, 30, 31}));
    EXPECT_TRUE(found.behindLosses.empty());
    EXPECT_EQ(found.lostBytes, 0u);
    EXPECT_FALSE(found.endsWithLoss);
}

TEST_F(ProvenEvents, ofAChunkWithoutItsEnd_areMissedBeforeTheNext) {
    lose(kChunk + 3 * kWord, 2 * kWord);
    const Read found = read();
    EXPECT_EQ(found.ticks, (Ticks{10, 11, 20, 30, 31}));
    EXPECT_EQ(found.behindLosses, Ticks{30});
    EXPECT_EQ(found.lostBytes, 2 * kWord);
}

/// Its place is known without its head.
TEST_F(ProvenEvents, ofAChunkThatIsLost_areMissed) {
    lose(kChunk, kChunk);
    const Read found = read();
    EXPECT_EQ(found.ticks, (Ticks{10, 11, 30, 31}));
    EXPECT_EQ(found.behindLosses, Ticks{30});
    EXPECT_EQ(found.lostBytes, 4 * kWord);
}

TEST_F(ProvenEvents, ofTheFirstChunk_areNotTakenForOverwritten) {
    lose(0, kChunk);
    const Read found = read();
    EXPECT_EQ(found.ticks, (Ticks{20, 21, 30, 31}));
    EXPECT_EQ(found.behindLosses, Ticks{20});
    EXPECT_FALSE(found.isCut);
}

TEST_F(ProvenEvents, ofAFileThatEndsEarly_areMissedAtTheEnd) {
    std::filesystem::resize_file(path(), kChunk + 3 * kWord);
    const Read found = read();
    EXPECT_EQ(found.ticks, (Ticks{10, 11, 20}));
    EXPECT_EQ(found.lostBytes, (2 + 4) * kWord);
    EXPECT_TRUE(found.endsWithLoss);
}

TEST_F(ProvenEvents, ofAMissingFile_areMissed) {
    std::filesystem::remove(path());
    EXPECT_EQ(read().lostBytes, 3 * 4 * kWord);
}

/// An earlier version of a sector that was written twice.
TEST_F(ProvenEvents, thatAreOthers_areSaid) {
    proofs_[kChunk].sum ^= 1;
    const Read found = read();
    EXPECT_EQ(found.ticks.size(), 6u);
    EXPECT_GT(found.lostBytes, 0u);
}

TEST_F(EventFileTest, chunksBehindALargeHole_areFoundAtOnce) {
    constexpr std::uint64_t kFar = std::uint64_t{1} << 40;
    RawEvents events;
    events.add(RecordKind::Enter, 10, {1}).nextChunk();
    events.write(directory_.path());
    std::error_code tooLarge;
    std::filesystem::resize_file(path(), kFar, tooLarge);
    if (tooLarge) GTEST_SKIP() << "no such large files here";
    events.write(directory_.path());
    const auto places = chunkPlaces(path()).at(0);
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[1].offset, kFar);
    EXPECT_EQ(chunkPlacesNow(path()).at(0).size(), 2u);
}

}  // namespace
}  // namespace holos::archive
