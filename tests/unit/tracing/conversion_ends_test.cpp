// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cerrno>
#include <fstream>
#include <functional>

#include "tests/unit/tracing/conversion_fixture.h"
#include "tests/unit/tracing/raw_recording.h"

namespace holos::archive {
namespace {

using ::testing::AllOf;

/// Two threads, of which the second is in a region when the first records its last event.
class OpenRegionTest : public ConversionTest {
  protected:
    void write(const tracing::Status& status, const RawEvents& ofSecond) {
        auto log = program();
        location(log, 1, LocationKind::Place, 1, 1);
        log.region(1, "work").region(2, "MPI_Abort").sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.1.0", log);
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&status), sizeof status);
        RawEvents().add(RecordKind::Enter, 1'800, {1}).add(RecordKind::Leave, 2'000, {1}).write(folder);
        ofSecond.write(folder, 1);
    }
    std::string endOfSecond() {
        result_ = finish(directory_.path());
        for (const std::string& event : events())
            if (event.starts_with("4294967296") && event.find("leave") != std::string::npos) return event;
        return {};
    }
    static RawEvents entered(std::uint64_t region) {
        return RawEvents().add(RecordKind::Enter, 1'200, {region});
    }

    Result result_;
};

TEST_F(OpenRegionTest, killedProcess_endsWithTheLastEventOfItsThreads) {
    write({.lostEvents = 0, .failure = 0, .ended = 0, .lostSamples = 0}, entered(1));
    EXPECT_EQ(endOfSecond(), "4294967296 500 leave work");
}

TEST_F(OpenRegionTest, processThatEndedInOrder_endsThere) {
    write({.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 0}, entered(1));
    EXPECT_EQ(endOfSecond(), "4294967296 1000 leave work");
}

TEST_F(OpenRegionTest, afterLostEvents_endsWithItsThreadsLastOne) {
    write({.lostEvents = 5, .failure = 0, .ended = 1, .lostSamples = 0}, entered(1));
    EXPECT_EQ(endOfSecond(), "4294967296 100 leave work");
}

TEST_F(OpenRegionTest, threadThatIsNoLongerRecorded_endsWithItsLastEvent) {
    write({.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 0},
          entered(1).add(RecordKind::MeasurementOff, 1'300, {}));
    EXPECT_EQ(endOfSecond(), "4294967296 150 leave work");
}

TEST_F(OpenRegionTest, threadThatAborts_isNoted) {
    write({.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 0},
          entered(1).add(RecordKind::Enter, 1'300, {2}));
    endOfSecond();
    EXPECT_THAT(result_.notes, Contains("OMP thread 1 of Process stopped in work / MPI_Abort"));
}

TEST_F(ConversionTest, threadThatEndsWithinRegions_leavesThemBefore) {
    auto log = program();
    location(log, 1, LocationKind::Thread, 0, 0);
    log.region(1, "outer").region(2, "inner").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::ThreadBegin, 1'200, {1})
        .add(RecordKind::Enter, 1'400, {1})
        .add(RecordKind::Enter, 1'600, {2})
        .add(RecordKind::ThreadEnd, 1'800, {1})
        .write(folder, 1);
    EXPECT_TRUE(finish(directory_.path()).notes.empty());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "4294967296 100 begin thread 1",
                                      "4294967296 200 enter outer", "4294967296 300 enter inner",
                                      "4294967296 400 leave inner", "4294967296 400 leave outer",
                                      "4294967296 400 end thread 1", "0 1000 end"));
}

TEST_F(ConversionTest, threadThatIsKilled_leavesItsRegionsWithTheLastEventOfTheProcess_andDoesNotEnd) {
    auto log = program();
    location(log, 1, LocationKind::Thread, 0, 0);
    log.region(1, "outer").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log, false);
    RawEvents().add(RecordKind::Enter, 1'400, {1}).add(RecordKind::Leave, 2'000, {1}).write(folder);
    RawEvents().add(RecordKind::ThreadBegin, 1'200, {1}).add(RecordKind::Enter, 1'600, {1}).write(folder, 1);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "4294967296 100 begin thread 1",
                                      "0 200 enter outer", "4294967296 300 enter outer", "0 500 leave outer",
                                      "0 500 end", "4294967296 500 leave outer"));
}

TEST_F(ConversionTest, whatWasOverwritten_isMeasurementOff) {
    auto log = program();
    log.region(1, "work").sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Overwritten, 2'400, {})
        .add(RecordKind::Leave, 2'400, {1})
        .nextChunk()
        .add(RecordKind::Overwritten, 2'000, {})
        .add(RecordKind::Enter, 2'000, {1})
        .nextChunk()
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 0 off", "0 500 on", "0 500 enter work",
                                      "0 700 leave work", "0 1000 end"));
}

/// A process that ended in order, but was not recorded until then.
class UnrecordedEnd : public ConversionTest {
  protected:
    static constexpr tracing::Status kLost{.lostEvents = 5, .failure = 0, .ended = 1, .lostSamples = 0};

    void write(const tracing::Status& status, const RawEvents& recorded,
               const std::function<void(const fs::path&)>& change = {}) {
        auto log = program();
        log.region(1, "work").sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.1.0", log);
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&status), sizeof status);
        recorded.write(folder);
        if (change) change(folder);
        finish(directory_.path());
    }
};

TEST_F(UnrecordedEnd, afterAFailure_isMeasurementOff_inTheOpenRegion) {
    write({.lostEvents = 0, .failure = ENOSPC, .ended = 1, .lostSamples = 0},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 100 off", "0 1000 on",
                                      "0 1000 leave work", "0 1000 end"));
}

/// A full disk had no room for what is lost.
TEST_F(UnrecordedEnd, ofWhichNothingIsKnown_isSaid) {
    write({.lostEvents = 0, .failure = 0, .ended = 0, .lostSamples = 0, .isCopied = 1},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_TRUE(measurement()["processes"][0]["lostEvents"].is_null());
    EXPECT_THAT(measurement()["notes"].dump(),
                AllOf(HasSubstr("process 0 could not record to the end: No space left on device"),
                      HasSubstr("process 0 may have lost events: how many is not known")));
}

TEST_F(UnrecordedEnd, ofAProcessThatWasKilledWithEventsInMemory_isSaid) {
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "host.1.0" / tracing::kReserveFile).close();
    write({.lostEvents = 0, .failure = 0, .ended = 0, .lostSamples = 0, .isCopied = 1},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_THAT(measurement()["notes"].dump(), HasSubstr("those of the last half second may be missing"));
}

TEST_F(UnrecordedEnd, ofAProcessWhoseCopyingThreadIsForbidden_isSaidNotToBeKnown) {
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "host.1.0" / tracing::kReserveFile).close();
    write({.lostEvents = 0, .failure = EPERM, .ended = 0, .lostSamples = 0, .isCopied = 1},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_TRUE(measurement()["processes"][0]["lostEvents"].is_null());
    EXPECT_THAT(measurement()["notes"].dump(),
                AllOf(HasSubstr("could not record to the end: Operation not permitted"),
                      HasSubstr("process 0 may have lost events: how many is not known")));
}

TEST_F(UnrecordedEnd, ofAProcessThatCopiedToItsEnd_isKnown) {
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "host.1.0" / tracing::kReserveFile).close();
    write({.lostEvents = 7, .failure = ENOSPC, .ended = 1, .lostSamples = 0, .isCopied = 1},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_EQ(measurement()["lostEvents"], 7);
}

/// Its last thread was ended by a system call of its own; the one that copied noticed.
TEST_F(UnrecordedEnd, ofAProcessWithoutAnOrderlyEndThatCopiedAll_isKnown) {
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "host.1.0" / tracing::kReserveFile).close();
    write(
        {.lostEvents = 7, .failure = 0, .ended = 0, .lostSamples = 0, .isCopied = 1, .definitionBytes = 100},
        RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_EQ(measurement()["lostEvents"], 7);
}

/// What it wrote is in the file, also when it is killed.
TEST_F(UnrecordedEnd, ofAProcessThatWasKilledWithMappedFiles_isKnown) {
    write({.lostEvents = 0, .failure = 0, .ended = 0, .lostSamples = 0},
          RawEvents().add(RecordKind::Enter, 1'200, {1}));
    EXPECT_EQ(measurement()["lostEvents"], 0);
}

/// Of such a file, no more is read than there is.
TEST_F(UnrecordedEnd, ofDefinitionsBehindWhichTheFileIsEmpty_isThere) {
    write({.lostEvents = 0, .failure = 0, .ended = 1, .lostSamples = 0},
          RawEvents().add(RecordKind::Enter, 1'200, {1}),
          [](const fs::path& folder) { fs::resize_file(folder / "definitions", std::uintmax_t{1} << 40); });
    EXPECT_THAT(events(), Contains("0 100 enter work"));
}

TEST_F(UnrecordedEnd, ofAFullBuffer_isMeasurementOff) {
    RawEvents full;
    for (std::size_t i = 0; i < tracing::kChunkBytes / 16 - 2; i += 2)
        full.add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 1'200, {1});
    write(kLost, full);
    const auto all = events();
    ASSERT_GT(all.size(), 3u);
    EXPECT_THAT(std::vector(all.end() - 3, all.end()), ElementsAre("0 100 off", "0 1000 on", "0 1000 end"));
}

TEST_F(UnrecordedEnd, whereTheBufferIsNotFull_isNot) {
    write(kLost, RawEvents().add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 1'400, {1}));
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 200 leave work", "0 1000 end"));
}

}  // namespace
}  // namespace holos::archive
