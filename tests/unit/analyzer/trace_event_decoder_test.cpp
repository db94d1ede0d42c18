// SPDX-License-Identifier: BSD-3-Clause
// Events of files as they are decoded without OTF2's library, against what the library's reader says.
#include "analyzer/trace/event_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <iterator>
#include <string>

#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/event_layouts.h"
#include "analyzer/trace/file_end.h"
#include "base/error.h"
#include "tests/support/chance.h"
#include "tests/support/damage.h"
#include "tests/support/event_log.h"
#include "tests/support/known_trace.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using namespace analyzer::trace;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Memory that OTF2 gets is fresh each time, so that it finds the same behind the end of a damaged file.
void useFreshMemory() {
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
}

/// The bytes of a file of events, of any kind and in any order of bytes.
class RawEvents {
  public:
    explicit RawEvents(std::uint8_t order) : isBig_(order == kBigEndian) {
        byte(kChunkHeader).byte(order).plain(1, 8).plain(100, 8);
    }

    RawEvents& byte(std::uint8_t value) {
        bytes_.push_back(static_cast<char>(value));
        return *this;
    }
    RawEvents& plain(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i)
            byte(static_cast<std::uint8_t>(value >> (8 * (isBig_ ? size - 1 - i : i))));
        return *this;
    }
    RawEvents& packed(std::uint64_t value, unsigned size) {
        return byte(static_cast<std::uint8_t>(size)).plain(value, size);
    }
    RawEvents& undefined() { return byte(0xFF); }
    RawEvents& time(std::uint64_t time) { return byte(kTimeStamp).plain(time, 8); }
    /// A record with its length, which needs so many bytes.
    RawEvents& record(std::uint8_t type, const std::string& content, bool isLong = false) {
        byte(type);
        if (isLong)
            byte(kLongRecord).plain(content.size(), 8);
        else
            byte(static_cast<std::uint8_t>(content.size()));
        bytes_ += content;
        return *this;
    }
    RawEvents& end() { return byte(kEndOfRecords).byte(kEndOfFile); }

    /// Without the head of the chunk.
    std::string content() const { return bytes_.substr(kChunkHeaderBytes); }
    const std::string& bytes() const { return bytes_; }

  private:
    bool isBig_;
    std::string bytes_;
};

/// Values of all sizes for the fields of an event, with two values in each list.
std::string valuesFor(std::uint8_t type, std::uint8_t order, unsigned size) {
    RawEvents out(order);
    for (const char* field = layoutOf(type).fields; *field != 0; ++field)
        if (*field == 'b')
            out.byte(2);
        else if (*field == 't')
            out.plain(12'345, 8);
        else if (*field == 'l')
            out.packed(0x1122334455667788, size);
        else if (type == kProgramBegin && *field == 'i')
            out.packed(2, std::max(size % 5, 1U));
        else
            out.packed(0x99AABBCC, size % 5);
    if (type == kMetric) out.byte(OTF2_TYPE_UINT64).packed(77, size).byte(OTF2_TYPE_DOUBLE).undefined();
    if (type == kProgramBegin) out.packed(3, 1).packed(4, 2);
    return out.content();
}

/// A value of each type, also of one that nobody knows.
std::string attributes(std::uint8_t order) {
    RawEvents out(order);
    constexpr unsigned kTypes = 26;
    out.packed(kTypes, 1);
    for (unsigned type = 1; type <= kTypes; ++type) {
        out.packed(100 + type, 1).byte(static_cast<std::uint8_t>(type));
        const auto layout = attributeLayoutOf(static_cast<OTF2_Type>(type));
        if (layout.plainBytes != 0)
            out.plain(0x1122334455667788, layout.plainBytes);
        else
            out.packed(0x1122334455667788, layout.isLong ? 7 : 3);
    }
    return out.content();
}

struct EventDecoding : ::testing::Test {
    EventDecoding() { useFreshMemory(); }

    /// An archive of one location with these events.
    fs::path archiveOf(const std::string& events) const {
        replace(eventFile(anchor, 0), events);
        return anchor;
    }
    void expectSame(const std::string& events) const {
        EXPECT_THAT(differencesOfReaders(archiveOf(events)), IsEmpty());
    }
    void expectWhole(const std::string& events) const {
        EXPECT_EQ(readEvents(archiveOf(events), readDefinitions(anchor), LocationId(0)).problem,
                  std::nullopt);
        expectSame(events);
    }
    /// How many of the events the decoder reads by itself.
    std::uint64_t decodedOf(const std::string& events) const {
        EventDecoder decoder(eventFile(archiveOf(events), 0), kChunk, 0, {});
        std::uint64_t decoded = 0;
        while (const std::uint64_t more = decoder.read(1000, {}, nullptr)) decoded += more;
        return decoded;
    }

    static fs::path writeOneLocation(const fs::path& directory) {
        TraceBuilder trace(1);
        trace.on(0).enter(0, "main").leave(1);
        return trace.write(directory);
    }

    TemporaryDirectory directory;
    fs::path anchor = writeOneLocation(directory.path() / "one");
};

struct EventDecodingInOrder : EventDecoding, ::testing::WithParamInterface<std::uint8_t> {
    std::uint8_t order = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Orders, EventDecodingInOrder, ::testing::Values(kLittleEndian, kBigEndian),
                         [](const auto& order) { return order.param == kLittleEndian ? "little" : "big"; });

TEST_P(EventDecodingInOrder, everyKindOfEvent_isReadAsByOtf2) {
    constexpr std::uint8_t kLastKind = 95;  // some that nobody knows, too
    RawEvents file(order);
    std::uint64_t events = 0;
    for (unsigned size = 0; size <= 8; ++size)
        for (std::uint8_t type = kFirstEvent; type <= kLastKind; ++type, ++events) {
            // An older library does not know these four.
            if (type == kMpiProbe && !HOLOS_OTF2_KNOWS_FOUND_MESSAGES) type = kMpiImrecv + 1;
            file.time(1000 * size + type);
            const std::string values = valuesFor(type, order, size);
            if (layoutOf(type).hasLength)
                file.record(type, values + (size == 3 ? "later" : ""), size % 2 == 1);
            else
                file.byte(type).packed(0x99AABBCC, layoutOf(type).fields[0] == 'l' ? size : size % 5);
        }
    file.byte(kEnter).undefined().byte(kLeave).undefined().end();
    EXPECT_EQ(decodedOf(file.bytes()), events + 2);
    expectWhole(file.bytes());
}

TEST_P(EventDecodingInOrder, attributesOfEveryType_areReadAsByOtf2) {
    RawEvents file(order);
    for (const bool isLong : {false, true})
        file.time(1).record(kAttributes, attributes(order), isLong).time(2).byte(kEnter).packed(7, 1);
    file.byte(kLeave).packed(7, 1);
    file.record(kAttributes, attributes(order)).record(kMpiCollectiveBegin, "").end();
    EXPECT_EQ(decodedOf(file.bytes()), 4U);
    expectWhole(file.bytes());
}

TEST_P(EventDecodingInOrder, oddBytes_areLeftToOtf2) {
    const std::string before = RawEvents(order).time(5).byte(kEnter).packed(1, 1).bytes();
    const auto behind = [&](RawEvents& odd) { return before + odd.byte(kLeave).byte(0).end().content(); };
    RawEvents longNumber(order), longRecord(order), shortRecord(order), twoStamps(order), ownKind(order);
    RawEvents twice(order), tooMany(order);
    const std::string attribute = RawEvents(order).packed(1, 1).packed(3, 1).byte(1).byte(9).content();
    longNumber.byte(kEnter).packed(1, 5);
    longRecord.byte(kMpiSend).byte(kLongRecord).plain(std::uint64_t{1} << 40, 8);
    shortRecord.record(kMpiSend, "\1\1");
    twoStamps.time(6).time(7).byte(kEnter).byte(0);
    ownKind.record(8, "abc");
    twice.record(kAttributes, attribute).record(kAttributes, attribute);
    tooMany.record(kAttributes, std::string("\1\5", 2) + attribute.substr(2));
    for (RawEvents* odd : {&longNumber, &longRecord, &shortRecord, &twoStamps, &ownKind, &twice, &tooMany}) {
        const std::string bytes = behind(*odd);
        EXPECT_EQ(decodedOf(bytes), 1U);
        expectSame(bytes);
    }
}

/// What the handlers of messages are told.
struct ToldMessages {
    std::vector<std::string> told;

    static void tell(void* user, std::initializer_list<std::uint64_t> numbers, std::string text) {
        for (const std::uint64_t number : numbers) text += " " + std::to_string(number);
        static_cast<ToldMessages*>(user)->told.push_back(std::move(text));
    }
    static EventHandlers handlers() {
        EventHandlers to;
        to.mpiRecv = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*,
                        std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t length) {
            tell(user, {time, sender, comm, tag, length}, "receive");
            return OTF2_CALLBACK_SUCCESS;
        };
        to.mpiIrecvRequest = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                OTF2_AttributeList*, std::uint64_t request) {
            tell(user, {time, request}, "request");
            return OTF2_CALLBACK_SUCCESS;
        };
        to.mpiIrecv = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                         OTF2_AttributeList*, std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag,
                         std::uint64_t length, std::uint64_t request) {
            tell(user, {time, sender, comm, tag, length, request}, "received");
            return OTF2_CALLBACK_SUCCESS;
        };
        to.unknown = [](OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, OTF2_AttributeList*) {
            tell(user, {}, "unknown");
            return OTF2_CALLBACK_SUCCESS;
        };
        return to;
    }
};

/// Of OTF2 3.2: a probe says sender, communicator, tag and message; a receive the message and its length.
TEST_P(EventDecodingInOrder, messagesThatProbesFound_areReceivesOfThem) {
    const auto values = [this](std::initializer_list<std::uint64_t> all) {
        RawEvents out(order);
        for (const std::uint64_t value : all)
            if (value == OTF2_UNDEFINED_UINT64)
                out.undefined();
            else
                out.packed(value, 2);
        return out.content();
    };
    RawEvents file(order);
    file.time(1).record(kMpiProbe, values({3, 0, 9, 70}));
    file.time(2).record(kMpiProbe, values({4, 1, 8, 71}));
    file.time(3).record(kMpiProbe, values({5, 0, 7, OTF2_UNDEFINED_UINT64}));  // of MPI_Probe
    file.time(4).record(kMpiMrecv, values({70, 100}));
    file.time(5).record(kMpiImrecvRequest, values({71, 500}));
    file.time(6).record(kMpiImrecv, values({500, 200}));
    file.time(7).record(kMpiMrecv, values({70, 100}));    // was received
    file.time(8).record(kMpiImrecv, values({500, 200}));  // was completed
    file.end();
    EventDecoder decoder(eventFile(archiveOf(file.bytes()), 0), kChunk, 0, {});
    ToldMessages messages;
    EXPECT_EQ(decoder.read(1000, ToldMessages::handlers(), &messages), 8U);
    EXPECT_EQ(decoder.state(), EventDecoder::State::Ended);
    EXPECT_THAT(messages.told,
                ElementsAre("receive 4 3 0 9 100", "request 5 500", "received 6 4 1 8 200 500"));
    if (HOLOS_OTF2_KNOWS_FOUND_MESSAGES) expectSame(file.bytes());
}

TEST_F(EventDecoding, endOfFile_anywhere_isTheSame) {
    RawEvents file(kLittleEndian);
    file.time(1).byte(kEnter).byte(0).time(2).record(kMpiSend, valuesFor(kMpiSend, kLittleEndian, 2));
    file.record(kAttributes, attributes(kLittleEndian)).byte(kLeave).packed(300, 2).end();
    for (std::size_t size = 0; size <= file.bytes().size(); ++size) expectSame(file.bytes().substr(0, size));
}

TEST_F(EventDecoding, generatedTraces_areReadAsByOtf2) {
    EXPECT_THAT(differencesOfReaders(writeKnownTrace(directory.path() / "known", {.rounds = 3}).anchor),
                IsEmpty());
    EXPECT_THAT(differencesOfReaders(
                    writeKnownTrace(directory.path() / "drift", {.rounds = 3, .clockDrift = 40}).anchor),
                IsEmpty());
    const LargeTraceShape shape{.rounds = 300, .threads = 2, .parallelsPerRound = 3, .nodeCounters = 3};
    EXPECT_THAT(differencesOfReaders(writeLargeTrace(directory.path() / "large", shape)), IsEmpty());
}

TEST_F(EventDecoding, severalChunks_areDecodedToTheirEnd) {
    const LargeTraceShape shape{.processes = 1, .rounds = 300};
    const fs::path other = writeLargeTrace(directory.path() / "other", shape);
    const std::uint64_t chunk = chunkSizesOf(other).events;
    ASSERT_GT(fs::file_size(eventFile(other, 0)), 3 * chunk);
    EventDecoder decoder(eventFile(other, 0), chunk, 0, {});
    EXPECT_EQ(decoder.read(shape.events() + 1, {}, nullptr), shape.events());
    EXPECT_EQ(decoder.state(), EventDecoder::State::Ended);
}

TEST_F(EventDecoding, randomDamage_isReadAsByOtf2) {
    const fs::path other = writeKnownTrace(directory.path() / "other", {.processes = 2, .rounds = 1}).anchor;
    const Definitions definitions = readDefinitions(other);
    const std::string whole = contentOf(eventFile(other, 0));
    Chance chance(7);
    constexpr int kTries = 400;
    for (int i = 0; i < kTries; ++i) {
        std::string damaged = whole;
        const std::size_t at = chance.upTo(kChunkHeaderBytes, static_cast<unsigned>(whole.size()) - 1);
        damaged[at] = static_cast<char>(chance.upTo(0, 255));
        replace(eventFile(other, 0), damaged);
        EXPECT_EQ(readEvents(other, definitions, LocationId(0)),
                  readEventsByLibrary(other, definitions, LocationId(0)))
            << "byte " << at << " is " << int(static_cast<std::uint8_t>(damaged[at]));
    }
}

TEST_F(EventDecoding, sizeOfChunksThatCannotBe_isForOtf2ToRefuse) {
    const Definitions definitions = readDefinitions(anchor);
    const std::string size = RawEvents(kOwnOrder).plain(chunkSizesOf(anchor).events, 8).content();
    const std::size_t at = contentOf(anchor).find(size);
    ASSERT_NE(at, std::string::npos);
    overwrite(anchor, at, RawEvents(kOwnOrder).plain(std::uint64_t{1} << 40, 8).content());
    const EventLog own = readEvents(anchor, definitions, LocationId(0));
    EXPECT_NE(own.problem, std::nullopt);
    EXPECT_EQ(own, readEventsByLibrary(anchor, definitions, LocationId(0)));
}

/// Takes so many calls, in portions.
struct Taker {
    std::size_t most;
    std::uint64_t taken = 0;
    static CallsTaken take(void* user, std::uint64_t first, std::span<const PlainCall> calls) {
        auto& self = *static_cast<Taker*>(user);
        EXPECT_EQ(first, self.taken + 1);
        const std::size_t count = std::min(self.most - self.taken, calls.size());
        self.taken += count;
        return {count, self.taken == self.most ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS};
    }
};

TEST_F(EventDecoding, whoHadEnough_getsNoMore) {
    const fs::path other = writeLargeTrace(directory.path() / "other", {.processes = 1, .rounds = 2});
    const std::uint64_t chunk = chunkSizesOf(other).events;
    for (const std::size_t most : {1U, 255U, 256U, 257U, 700U}) {
        EventDecoder decoder(eventFile(other, 0), chunk, 0, {});
        Taker taker{most};
        const EventHandlers handlers{.calls = &Taker::take};
        while (decoder.read(100, handlers, &taker) == 100) {
        }
        EXPECT_EQ(decoder.state(), EventDecoder::State::Interrupted);
        EXPECT_EQ(taker.taken, most);
        EXPECT_EQ(decoder.events(), most);
    }
}

TEST_F(EventDecoding, missingFile_isAnError) {
    EXPECT_THROW(EventDecoder(directory.path() / "no.evt", kChunk, 0, {}), Error);
}

}  // namespace
}  // namespace holos::testing
