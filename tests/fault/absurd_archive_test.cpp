// SPDX-License-Identifier: BSD-3-Clause
// OTF2 archives that are whole, and whose definitions say what cannot be: the analysis ends, with what there
// is or with an error that names the file.
#include <gtest/gtest.h>
#include <otf2/otf2.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using Defs = OTF2_GlobalDefWriter*;
using Events = OTF2_EvtWriter*;

constexpr std::uint32_t kMany = 50'000;
constexpr std::uint32_t kNowhere = 7777;
constexpr auto kNone = OTF2_UNDEFINED_SYSTEM_TREE_NODE;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

/// What is absurd, instead of what a sound archive has there.
struct Absurd {
    const char* name;
    std::uint64_t ticksPerSecond = 1'000'000;
    std::uint64_t offset = 0;
    std::uint64_t begin = 10;  ///< of the only call
    std::uint64_t location = 0;
    std::uint64_t events = 2;
    std::uint32_t region = 0;
    std::uint32_t parentOfNode = kNone;
    std::uint32_t nodeOfGroup = 0;
    std::uint32_t groupOfLocation = 0;
    std::uint32_t creator = OTF2_UNDEFINED_LOCATION_GROUP;
    std::function<void(Defs)> define = [](Defs) {};
    std::function<void(Events)> happen = [](Events) {};
};

void PrintTo(const Absurd& absurd, std::ostream* out) {
    *out << absurd.name;
}

void writeDefinitions(Defs out, const Absurd& absurd) {
    OTF2_GlobalDefWriter_WriteClockProperties(out, absurd.ticksPerSecond, absurd.offset, 1000,
                                              OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(out, 0, "");
    OTF2_GlobalDefWriter_WriteString(out, 1, "main");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, 0, 0, absurd.parentOfNode);
    OTF2_GlobalDefWriter_WriteLocationGroup(out, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, absurd.nodeOfGroup,
                                            absurd.creator);
    OTF2_GlobalDefWriter_WriteLocation(out, absurd.location, 1, OTF2_LOCATION_TYPE_CPU_THREAD, absurd.events,
                                       absurd.groupOfLocation);
    OTF2_GlobalDefWriter_WriteRegion(out, 0, 1, 1, 1, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, 1, 0, 0);
    absurd.define(out);
}

void write(const std::string& folder, const Absurd& absurd) {
    const OTF2_FlushCallbacks always{flush, nullptr};
    OTF2_Archive* const archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1U << 20U,
                                                    1U << 22U, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &always, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    Events events = OTF2_Archive_GetEvtWriter(archive, absurd.location);
    OTF2_EvtWriter_Enter(events, nullptr, absurd.begin, absurd.region);
    absurd.happen(events);
    OTF2_EvtWriter_Leave(events, nullptr, absurd.begin + 20, absurd.region);
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, absurd.location));
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_CloseDefFiles(archive);
    Defs definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    writeDefinitions(definitions, absurd);
    OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
    OTF2_Archive_Close(archive);
}

class AbsurdArchive : public ::testing::TestWithParam<Absurd> {};

TEST_P(AbsurdArchive, analysis_ends) {
    const TemporaryDirectory directory;
    const auto folder = directory.path() / "run";
    write(folder, GetParam());
    try {
        const auto analyzed = analyzer::analyze(folder);
        EXPECT_TRUE(analyzed.experiment.findMetric("time"));
    } catch (const Error& error) {
        EXPECT_FALSE(error.place().file.empty()) << error.what();
    }
}

void group(Defs out, OTF2_GroupRef ref, OTF2_GroupType type, std::vector<std::uint64_t> members) {
    OTF2_GlobalDefWriter_WriteGroup(out, ref, type, 0, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    static_cast<std::uint32_t>(members.size()), members.data());
}

/// A class of counters of which one is a number without bounds.
void counters(Defs out, OTF2_MetricMode mode, std::int64_t exponent) {
    const OTF2_MetricMemberRef member = 0;
    OTF2_GlobalDefWriter_WriteMetricMember(out, 0, 1, 0, OTF2_METRIC_TYPE_OTHER, mode, OTF2_TYPE_DOUBLE,
                                           OTF2_BASE_DECIMAL, exponent, 0);
    OTF2_GlobalDefWriter_WriteMetricClass(out, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                          OTF2_RECORDER_KIND_CPU);
}

void value(Events out, double number) {
    const OTF2_Type type = OTF2_TYPE_DOUBLE;
    OTF2_MetricValue one;
    one.floating_point = number;
    OTF2_EvtWriter_Metric(out, nullptr, 15, 0, 1, &type, &one);
}

INSTANTIATE_TEST_SUITE_P(
    , AbsurdArchive,
    ::testing::Values(
        Absurd{.name = "noTicksInASecond", .ticksPerSecond = 0},
        Absurd{.name = "moreTicksInASecondThanFit", .ticksPerSecond = ~std::uint64_t{0}},
        Absurd{.name = "clockThatBeginsAtTheEnd", .offset = ~std::uint64_t{0}},
        Absurd{.name = "timesBeyondSignedNumbers", .begin = std::uint64_t{1} << 63U},
        Absurd{.name = "timesAtTheEnd", .begin = ~std::uint64_t{0} - 100},
        Absurd{.name = "locationOfAHugeNumber", .location = std::uint64_t{1} << 62U},
        Absurd{.name = "countOfEventsThatCannotBe", .events = ~std::uint64_t{0}},
        Absurd{.name = "countOfNoEvents", .events = 0}, Absurd{.name = "callOfNoRegion", .region = kNowhere},
        Absurd{.name = "nodeInItself", .parentOfNode = 0},
        Absurd{.name = "nodesInEachOther",
               .parentOfNode = 1,
               .define = [](Defs out) { OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 1, 0, 0, 0); }},
        Absurd{.name = "processOnNoNode", .nodeOfGroup = kNowhere},
        Absurd{.name = "processThatMadeItself", .creator = 0},
        Absurd{.name = "threadOfNoProcess", .groupOfLocation = kNowhere},
        Absurd{.name = "nodesWithoutEnd",
               .define =
                   [](Defs out) {
                       for (std::uint32_t i = 1; i < kMany; ++i)
                           OTF2_GlobalDefWriter_WriteSystemTreeNode(out, i, 0, 0, i - 1);
                   }},
        Absurd{.name = "processesThatMadeEachOther",
               .define =
                   [](Defs out) {
                       for (std::uint32_t i = 1; i < kMany; ++i)
                           OTF2_GlobalDefWriter_WriteLocationGroup(
                               out, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, i - 1);
                   }},
        Absurd{.name = "locationsWithoutAFile",
               .define =
                   [](Defs out) {
                       for (std::uint32_t i = 1; i < 2000; ++i)
                           OTF2_GlobalDefWriter_WriteLocation(out, i, 1, OTF2_LOCATION_TYPE_CPU_THREAD, 5, 0);
                   }},
        Absurd{.name = "locationTwice",
               .define =
                   [](Defs out) {
                       OTF2_GlobalDefWriter_WriteLocation(out, 0, 1, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0);
                   }},
        Absurd{.name = "textTwice",
               .define = [](Defs out) { OTF2_GlobalDefWriter_WriteString(out, 1, "another"); }},
        Absurd{.name = "callsThatCallEachOther",
               .define =
                   [](Defs out) {
                       OTF2_GlobalDefWriter_WriteCallingContext(out, 0, 0,
                                                                OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 1);
                       OTF2_GlobalDefWriter_WriteCallingContext(out, 1, 0,
                                                                OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 0);
                   },
               .happen = [](Events out) { OTF2_EvtWriter_CallingContextEnter(out, nullptr, 15, 1, 1); }},
        Absurd{
            .name = "callsWithoutEnd",
            .define =
                [](Defs out) {
                    for (std::uint32_t i = 0; i < kMany; ++i)
                        OTF2_GlobalDefWriter_WriteCallingContext(
                            out, i, 0, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                            i != 0 ? i - 1 : OTF2_UNDEFINED_CALLING_CONTEXT);
                },
            .happen =
                [](Events out) { OTF2_EvtWriter_CallingContextEnter(out, nullptr, 15, kMany - 1, kMany); }},
        Absurd{.name = "communicatorOfItself",
               .define =
                   [](Defs out) {
                       group(out, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, {0});
                       group(out, 1, OTF2_GROUP_TYPE_COMM_GROUP, {0});
                       OTF2_GlobalDefWriter_WriteComm(out, 0, 0, 1, 0, OTF2_COMM_FLAG_NONE);
                   },
               .happen = [](Events out) { OTF2_EvtWriter_MpiSend(out, nullptr, 15, 0, 0, 0, 8); }},
        Absurd{.name = "membersThatAreNot",
               .define =
                   [](Defs out) {
                       group(out, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                             {~std::uint64_t{0}, std::uint64_t{1} << 40U});
                       group(out, 1, OTF2_GROUP_TYPE_COMM_GROUP, {5, ~std::uint64_t{0}});
                       OTF2_GlobalDefWriter_WriteComm(out, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
                   },
               .happen =
                   [](Events out) {
                       OTF2_EvtWriter_MpiSend(out, nullptr, 12, ~0U, 0, ~0U, ~std::uint64_t{0});
                       OTF2_EvtWriter_MpiRecv(out, nullptr, 15, 1, 0, 0, std::uint64_t{1} << 63U);
                   }},
        Absurd{.name = "communicatorOfGroupsThatAreNot",
               .define =
                   [](Defs out) {
                       OTF2_GlobalDefWriter_WriteInterComm(out, 0, 0, kNowhere, kNowhere + 1, 0,
                                                           OTF2_COMM_FLAG_NONE);
                   },
               .happen = [](Events out) { OTF2_EvtWriter_MpiSend(out, nullptr, 15, 0, 0, 0, 8); }},
        Absurd{.name = "teamOfNobody",
               .happen =
                   [](Events out) {
                       OTF2_EvtWriter_ThreadFork(out, nullptr, 11, OTF2_PARADIGM_OPENMP, ~0U);
                       OTF2_EvtWriter_ThreadTeamBegin(out, nullptr, 12, kNowhere);
                       OTF2_EvtWriter_ThreadTaskSwitch(out, nullptr, 13, kNowhere, ~0U, ~0U);
                       OTF2_EvtWriter_ThreadAcquireLock(out, nullptr, 14, OTF2_PARADIGM_OPENMP, ~0U, ~0U);
                   }},
        Absurd{.name = "flushThatTakesForEver",
               .happen =
                   [](Events out) { OTF2_EvtWriter_BufferFlush(out, nullptr, 15, std::uint64_t{1} << 63U); }},
        Absurd{.name = "counterThatIsNoNumber",
               .define = [](Defs out) { counters(out, OTF2_METRIC_ACCUMULATED_START, 0); },
               .happen = [](Events out) { value(out, std::nan("")); }},
        Absurd{.name = "counterWithoutBounds",
               .define =
                   [](Defs out) {
                       counters(out, OTF2_METRIC_ABSOLUTE_POINT, std::numeric_limits<std::int64_t>::max());
                   },
               .happen = [](Events out) { value(out, std::numeric_limits<double>::infinity()); }},
        Absurd{.name = "counterOfAnUnknownMode",
               .define = [](Defs out) { counters(out, OTF2_MetricMode{250}, 0); },
               .happen = [](Events out) { value(out, 1); }}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace holos::testing
