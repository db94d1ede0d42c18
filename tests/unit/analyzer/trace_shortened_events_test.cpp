// SPDX-License-Identifier: BSD-3-Clause
// Files of events without those that an analysis passes over: OTF2 reads the others from them as they were.
#include "analyzer/trace/quiet_calls.h"

#include <gtest/gtest.h>

#include "analyzer/trace/copied_archive.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::trace::EventFile;
using analyzer::trace::QuietCalls;
using analyzer::trace::ShortenedArchive;

constexpr std::uint64_t kEvents = 60000;  // of 12 bytes, in chunks of 256 KB: three of them

/// Time and region of each event; the region of a leave is negative.
using Seen = std::vector<std::pair<std::uint64_t, std::int64_t>>;

/// What OTF2 reads up to so many events.
void readUpTo(std::uint64_t events, EventFile& file, Seen& seen) {
    const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
        OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
    OTF2_EvtReaderCallbacks_SetEnterCallback(
        callbacks.get(), [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                            OTF2_AttributeList*, OTF2_RegionRef region) {
            static_cast<Seen*>(user)->emplace_back(time, region);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetLeaveCallback(
        callbacks.get(), [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                            OTF2_AttributeList*, OTF2_RegionRef region) {
            static_cast<Seen*>(user)->emplace_back(time, -1 - std::int64_t{region});
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_Reader_RegisterEvtCallbacks(file.reader(), file.events(), callbacks.get(), &seen);
    file.deliverUpTo(events, {});
}

/// Each `[first, end)`.
using Spans = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::vector<QuietCalls> callsIn(const Spans& spans) {
    std::vector<QuietCalls> calls(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
        calls[i].first = spans[i].first;
        calls[i].end = spans[i].second;
    }
    return calls;
}

/// Calls that begin and end between two ticks, so that some events share their time.
struct ShortenedEvents : ::testing::Test {
    ShortenedEvents() {
        TraceBuilder trace(1);
        for (std::uint64_t call = 0; call < kEvents / 2; ++call) {
            const Tick begin = call + call / 2;
            trace.on(0).call(begin, begin + call % 2, call % 3 == 0 ? "f" : "g");
        }
        anchor = trace.write(directory.path() / "traces");
        definitions = analyzer::trace::readDefinitions(anchor);
        EventFile file(anchor, definitions, kLocation);
        readUpTo(kEvents, file, whole);
    }

    /// What is left when these are left out.
    void expectTheOthers(const Spans& spans) {
        const ShortenedArchive archive(anchor, directory.path());
        const auto file = archive.open(definitions, kLocation, placedIn(spans));
        ASSERT_TRUE(file);
        Seen seen;
        Seen expected;
        std::uint64_t at = 0;
        for (const auto& [first, end] : spans) {
            readUpTo(first, *file, seen);
            expected.insert(expected.end(), whole.begin() + at, whole.begin() + first);
            file->leaveOut(end - first, {});
            at = end;
        }
        readUpTo(kEvents + 1, *file, seen);
        expected.insert(expected.end(), whole.begin() + at, whole.end());
        EXPECT_EQ(seen, expected);
        EXPECT_EQ(file->outcome().events, kEvents);
        EXPECT_FALSE(file->completeOutcome().problem) << *file->completeOutcome().problem;
    }

    std::vector<QuietCalls> placedIn(const Spans& spans) const {
        std::vector<QuietCalls> calls = callsIn(spans);
        analyzer::trace::findPlaces(calls, eventFile(anchor, 0), kChunk);
        return calls;
    }

    bool isCopied(const std::vector<QuietCalls>& without) const {
        return analyzer::trace::copyWithout(without, eventFile(anchor, 0), kChunk, directory.path() / "copy");
    }
    bool isCopied(const Spans& spans) const { return isCopied(placedIn(spans)); }

    static constexpr std::uint64_t kChunk = std::uint64_t{256} << 10;

    static constexpr analyzer::trace::LocationId kLocation{0};
    TemporaryDirectory directory;
    std::filesystem::path anchor;
    analyzer::trace::Definitions definitions;
    Seen whole;
};

TEST_F(ShortenedEvents, othersAreAsTheyWere) {
    ASSERT_EQ(whole.size(), kEvents);
    expectTheOthers({});
    expectTheOthers({{1, 2}});
    expectTheOthers({{1, 20000}, {20001, 20002}, {20002, 59000}});
    expectTheOthers({{0, 10}, {59990, kEvents}});
    expectTheOthers({{0, kEvents}});
    for (std::uint64_t first = 21800; first < 21900; first += 7) expectTheOthers({{first, first + 30}});
}

TEST_F(ShortenedEvents, temporaryFiles_areGone) {
    {
        const ShortenedArchive archive(anchor, directory.path());
        ASSERT_TRUE(archive.open(definitions, kLocation, {}));
    }
    for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
        EXPECT_EQ(entry.path().filename(), "traces");
}

TEST_F(ShortenedEvents, callsThatAreNotThere_cannotBeLeftOut) {
    EXPECT_TRUE(isCopied(Spans{{5, 7}}));
    EXPECT_FALSE(isCopied(Spans{{kEvents - 1, kEvents + 1}}));
    EXPECT_FALSE(isCopied(Spans{{7, 9}, {5, 6}}));
}

/// Events have nine bytes of time and three of their own, so that a place is wrong by a byte, by an event of
/// a shared time, by one with its time, or by a chunk.
TEST_F(ShortenedEvents, callsAtAnotherPlace_cannotBeLeftOut) {
    const Spans spans{{100, 200}, {300, 25000}, {30000, 30100}};
    const std::vector<QuietCalls> right = placedIn(spans);
    ASSERT_TRUE(isCopied(right));
    const auto isCopiedBut = [&](std::size_t which, const auto& change) {
        std::vector<QuietCalls> calls = right;
        change(calls[which]);
        return isCopied(calls);
    };
    for (std::size_t which = 0; which < spans.size(); ++which) {
        for (const std::int64_t by : {-262144, -12, -3, -1, 1, 3, 12, 262144}) {
            EXPECT_FALSE(isCopiedBut(which, [by](QuietCalls& calls) { calls.place->begin += by; })) << by;
            EXPECT_FALSE(isCopiedBut(which, [by](QuietCalls& calls) { calls.place->end += by; })) << by;
        }
        EXPECT_FALSE(isCopiedBut(which, [](QuietCalls& calls) { calls.place->end = ~std::uint64_t{0}; }));
        EXPECT_FALSE(isCopiedBut(which, [](QuietCalls& calls) { calls.place.reset(); }));
        EXPECT_FALSE(isCopiedBut(which, [](QuietCalls& calls) { ++calls.first; }));
        EXPECT_FALSE(isCopiedBut(which, [](QuietCalls& calls) { --calls.end; }));
    }
}

/// What is passed over is not read: only what is around it has to be there.
TEST_F(ShortenedEvents, damageInWhatIsLeftOut_doesNotMatter) {
    const std::vector<QuietCalls> calls = placedIn({{100, 1000}});
    overwrite(eventFile(anchor, 0), 18 + 500 * 12, "\x07\x07\x07\x07");
    EXPECT_TRUE(isCopied(calls));
    EXPECT_FALSE(isCopied(Spans{{100, 1000}})) << "whose place cannot be told any more";
}

TEST_F(ShortenedEvents, damagedFiles_areNotCopied) {
    const auto file = eventFile(anchor, 0);
    const std::uintmax_t size = std::filesystem::file_size(file);
    overwrite(file, 18 + 9, "\x07");  // the type of the first event
    EXPECT_FALSE(isCopied(Spans{}));
    overwrite(file, 18 + 9, "\x0c");
    overwrite(file, 1, "L");  // the order of bytes
    EXPECT_FALSE(isCopied(Spans{}));
    overwrite(file, 1, "B");
    ASSERT_TRUE(isCopied(Spans{}));
    for (const std::uintmax_t cut : {1U, 2U, 5U, 300000U}) {
        truncate(file, size - cut);
        EXPECT_FALSE(isCopied(Spans{})) << cut;
    }
    std::filesystem::remove(file);
    EXPECT_FALSE(isCopied(Spans{}));
}

TEST_F(ShortenedEvents, foldersThatCannotBeMade_areTold) {
    EXPECT_THROW(ShortenedArchive(anchor, "/nowhere"), Error);
}

}  // namespace
}  // namespace holos::testing
