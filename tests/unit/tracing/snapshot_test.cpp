// SPDX-License-Identifier: BSD-3-Clause
// A snapshot has what was committed at its moment, whatever else the files of the recording have then or
// later.
#include "tracing/recordings/archive/conversion.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/unit/tracing/conversion_fixture.h"

namespace holos::archive {
namespace {

using Words = std::vector<std::uint64_t>;

/// Of a process that has begun its second chunk.
class SnapshotTest : public ConversionTest {
  protected:
    SnapshotTest() {
        auto log = program();
        log.region(1, "outer").region(2, "inner");
        folder_ = holos::testing::writeProcess(recording(), "host.1.0", log, false);
        RawEvents()
            .add(RecordKind::Enter, 1'200, {1})
            .nextChunk()
            .add(RecordKind::Enter, 1'400, {2})
            .write(folder_);
        fs::resize_file(file(), 2 * std::uintmax_t{tracing::kChunkBytes});
    }

    fs::path file() const { return folder_ / "events"; }
    /// Writes over the rest of the last chunk, from so many words behind what is committed on.
    void overwriteRest(std::size_t from, const Words& words) const {
        std::fstream file(this->file(), std::ios::binary | std::ios::in | std::ios::out);
        const std::size_t rest = tracing::kChunkBytes / sizeof(std::uint64_t) - kCommittedWords - from;
        file.seekp(static_cast<std::streamoff>(kCommittedBytes + from * sizeof(std::uint64_t)));
        for (std::size_t at = 0; at < rest; ++at)
            file.write(reinterpret_cast<const char*>(&words[at % words.size()]), sizeof(std::uint64_t));
    }
    void append(const RawEvents& events) const { events.write(folder_); }
    void define(const holos::testing::RawDefinitions& log) const {
        std::ofstream file(folder_ / "definitions", std::ios::binary | std::ios::app);
        file.write(reinterpret_cast<const char*>(log.bytes().data()),
                   static_cast<std::streamsize>(log.bytes().size()));
    }
    std::vector<std::string> eventsOfSnapshot(const std::function<void()>& meanwhile = {}) const {
        const Snapshot snapshot(directory_.path(), place_.path(), meanwhile);
        return holos::testing::readBack(snapshot.path() / "traces.otf2");
    }

    static constexpr std::size_t kCommittedWords = 3;  ///< of the last chunk: its head and one record
    static constexpr std::uintmax_t kCommittedBytes =
        tracing::kChunkBytes + kCommittedWords * sizeof(std::uint64_t);
    /// Records that are whole, and what no record begins with.
    const std::vector<Words> kOthers{{tracing::header(RecordKind::Enter, 1'500), 1},
                                     {tracing::header(RecordKind::Leave, 1'500), 2},
                                     {~std::uint64_t{0}},
                                     {tracing::header(RecordKind::Sample, 1'500), ~std::uint64_t{0}}};

    holos::testing::TemporaryDirectory place_;
    fs::path folder_;
};

TEST_F(SnapshotTest, wordsBehindARecordThatIsBeingWritten_areNotRead) {
    const auto events = eventsOfSnapshot();
    EXPECT_THAT(events, ::testing::Contains("0 400 enter inner"));
    for (const Words& words : kOthers) {
        overwriteRest(1, words);  // its header is written last
        EXPECT_EQ(eventsOfSnapshot(), events);
    }
}

TEST_F(SnapshotTest, ofARunThatHasRecordedNothingYet_saysThatItMayCome) {
    fs::remove_all(folder_);
    try {
        eventsOfSnapshot();
        FAIL() << "there is nothing";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("so far"));
    }
}

TEST_F(SnapshotTest, whatIsRecordedWhileItIsMade_isNotRead) {
    const auto events = eventsOfSnapshot();
    for (const Words& words : kOthers) {
        std::size_t calls = 0;
        const auto goOn = [&] {
            ++calls;
            overwriteRest(0, words);
            append(RawEvents().add(RecordKind::Enter, 1'600, {3}));
            auto log = holos::testing::RawDefinitions();
            define(log.region(3, "later"));
        };
        EXPECT_EQ(eventsOfSnapshot(goOn), events);
        EXPECT_EQ(calls, 1U);
        fs::resize_file(file(), 2 * std::uintmax_t{tracing::kChunkBytes});
        overwriteRest(0, {0});
    }
}

TEST_F(SnapshotTest, bytesBehindTheCommittedOnes_areNotNeeded) {
    const auto events = eventsOfSnapshot();
    EXPECT_EQ(eventsOfSnapshot([this] { fs::resize_file(file(), kCommittedBytes); }), events);
}

}  // namespace
}  // namespace holos::archive
