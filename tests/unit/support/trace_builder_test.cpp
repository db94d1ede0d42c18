// SPDX-License-Identifier: BSD-3-Clause
// What the builder writes is what OTF2's reader finds.
#include "tests/support/trace_builder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/damage.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

struct Summary {
    std::uint64_t locations = 0;
    std::uint64_t declaredEvents = 0;
    std::uint64_t readEvents = 0;
};

OTF2_CallbackCode noteLocation(void* summary, OTF2_LocationRef, OTF2_StringRef, OTF2_LocationType,
                               std::uint64_t events, OTF2_LocationGroupRef) {
    auto& noted = *static_cast<Summary*>(summary);
    ++noted.locations;
    noted.declaredEvents += events;
    return OTF2_CALLBACK_SUCCESS;
}

Summary readBack(const std::filesystem::path& anchor, const std::vector<OTF2_LocationRef>& locations) {
    Summary summary;
    std::uint64_t count = 0;
    auto* reader = OTF2_Reader_Open(anchor.c_str());
    EXPECT_NE(reader, nullptr);
    EXPECT_EQ(OTF2_Reader_SetSerialCollectiveCallbacks(reader), OTF2_SUCCESS);
    auto* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, noteLocation);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &summary);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    EXPECT_EQ(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count), OTF2_SUCCESS);
    for (const auto location : locations) OTF2_Reader_SelectLocation(reader, location);
    EXPECT_EQ(OTF2_Reader_OpenEvtFiles(reader), OTF2_SUCCESS);
    for (const auto location : locations) {
        auto* events = OTF2_Reader_GetEvtReader(reader, location);
        EXPECT_EQ(OTF2_Reader_ReadAllLocalEvents(reader, events, &count), OTF2_SUCCESS);
        summary.readEvents += count;
    }
    OTF2_Reader_Close(reader);
    return summary;
}

TEST(TraceBuilder, hybridTrace_isReadBackByOtf2) {
    const TemporaryDirectory directory;
    TraceBuilder trace(2, 2);
    const auto comm = trace.communicator({1, 0});
    const auto counters = trace.counters({{.name = "A"}, {.name = "B"}});
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).counters(0, counters, {1, 2}).enter(0, "main").barrier(1, 2, comm).leave(9);  // 7
                                                                                                     // events
        trace.on(rank, 1).teamBegin(3).call(4, 5, "!$omp parallel @t.c:1").teamEnd(6);  // 4 events
    }
    const auto found = readBack(trace.write(directory.path()),
                                {TraceBuilder::locationOf(0), TraceBuilder::locationOf(0, 1),
                                 TraceBuilder::locationOf(1), TraceBuilder::locationOf(1, 1)});
    EXPECT_EQ(found.locations, 4);
    EXPECT_EQ(found.declaredEvents, 2 * (7 + 4));
    EXPECT_EQ(found.readEvents, 2 * (7 + 4));
}

TEST(LargeTrace, anyShape_hasTheEventsItPromises) {
    const TemporaryDirectory directory;
    const LargeTraceShape shape{
        .processes = 3, .rounds = 7, .callsPerRound = 11, .regions = 5, .callPaths = 9, .depth = 4};
    const auto found = readBack(writeLargeTrace(directory.path(), shape), {0, 1, 2});
    EXPECT_EQ(found.declaredEvents, 3 * (7 * (22 + 6) + 2));
    EXPECT_EQ(found.declaredEvents, shape.events());
    EXPECT_EQ(found.readEvents, shape.events());
}

TEST(LargeTrace, parallelRegions_haveTheEventsItPromises) {
    const TemporaryDirectory directory;
    const LargeTraceShape shape{
        .processes = 2, .rounds = 3, .callsPerRound = 1, .threads = 2, .parallelsPerRound = 5};
    const auto found = readBack(writeLargeTrace(directory.path(), shape),
                                {TraceBuilder::locationOf(0), TraceBuilder::locationOf(0, 1),
                                 TraceBuilder::locationOf(1), TraceBuilder::locationOf(1, 1)});
    EXPECT_EQ(shape.events(), 2U * (3 * (2 + 5 * 8 + 6) + 2 + 3 * 5 * 6));
    EXPECT_EQ(found.readEvents, shape.events());
}

TEST(LargeTrace, countersOfNodes_haveTheEventsItPromises) {
    const TemporaryDirectory directory;
    const LargeTraceShape shape{
        .processes = 5, .rounds = 3, .callsPerRound = 2, .nodes = 2, .nodeCounters = 3, .readings = 7};
    const auto found = readBack(writeLargeTrace(directory.path(), shape),
                                {0, 1, 2, 3, 4, TraceBuilder::samplerOf(0), TraceBuilder::samplerOf(3)});
    EXPECT_EQ(shape.events(), 5U * (3 * (4 + 6) + 2) + 2 * 7);
    EXPECT_EQ(found.declaredEvents, shape.events());
    EXPECT_EQ(found.readEvents, shape.events());
}

TEST(Damage, timestampChanged_onlyThatOne) {
    const TemporaryDirectory directory;
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(7);
    const auto file = eventFile(trace.write(directory.path()), 0);
    const auto size = std::filesystem::file_size(file);
    changeTimestamp(file, 5007, 4999);
    EXPECT_EQ(std::filesystem::file_size(file), size);
    EXPECT_THROW(changeTimestamp(file, 5007, 4999), std::invalid_argument);
    changeTimestamp(file, 4999, 5007);
}

TEST(Damage, filesTooShort_areRefused) {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "short";
    replace(file, "abc");
    EXPECT_THROW(truncate(file, 3), std::invalid_argument);
    EXPECT_THROW(overwrite(file, 2, "xy"), std::invalid_argument);
    overwrite(file, 1, "xy");
    std::ifstream in(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "axy");
}

}  // namespace
}  // namespace holos::testing
