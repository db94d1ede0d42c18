// SPDX-License-Identifier: BSD-3-Clause
// Machines that are made up, and where threads are in them.
#include "tracing/recordings/archive/plan/placement.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tracing/recordings/archive/account/measurement_writer.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {
namespace {

using ::testing::HasSubstr;

/// The machine that a text of hwloc's describes, saved and read as for a host.
Hardware machine(const char* synthetic) {
    const holos::testing::TemporaryDirectory folder;
    ::setenv("HWLOC_SYNTHETIC", synthetic, 1);
    saveHardware(folder.path());
    ::unsetenv("HWLOC_SYNTHETIC");
    const auto hosts = savedHardware(folder.path());
    return hosts.size() == 1 ? hosts.begin()->second : Hardware{};
}

/// 12 processors: 0 and 1 are a core, 0 to 5 a socket with memory of its own.
Hardware twoSockets() {
    return machine("pack:2 [numa] l3:1 core:3 pu:2");
}

SeenProcessors seen(const std::vector<std::pair<std::uint64_t, std::uint32_t>>& notes, std::uint64_t end) {
    SeenProcessors processors;
    for (const auto& [ticks, processor] : notes) {
        processors.advance(ticks);
        processors.add(processor);
    }
    processors.advance(end);
    return processors;
}

TEST(Environment, whatALauncherTellsItsProcesses_isNoChoiceOfTheUser) {
    const std::map<std::string, std::string> chosen{
        {"OMPI_MCA_btl", "self,sm"}, {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"}};
    const std::map<std::string, std::string> told{{"OMPI_MCA_orte_num_nodes", "1"},  // by Open MPI 4
                                                  {"OMPI_MCA_num_procs", "4"},       // by 5
                                                  {"OMPI_MCA_PREFIXES", "mca,opal"}};
    const auto each = [&](const auto& set) {
        for (const auto* variables : {&chosen, &told})
            for (const auto& [name, value] : *variables) set(name, value);
    };
    each([](const auto& name, const auto& value) { ::setenv(name.c_str(), value.c_str(), 1); });
    const auto environment = thisEnvironment();
    each([](const auto& name, const auto&) { ::unsetenv(name.c_str()); });
    for (const auto& [name, value] : chosen) EXPECT_EQ(environment.at(name), value);
    for (const auto& [name, value] : told) EXPECT_FALSE(environment.contains(name)) << name;
}

/// All commands of a node begin at the same time.
TEST(Hardware, thatAnotherCommandDescribes_isLeftToThat) {
    const holos::testing::TemporaryDirectory folder;
    const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder.path()), {}); };
    saveHardware(folder.path());
    ASSERT_EQ(files(), 1);
    const std::filesystem::path described = std::filesystem::directory_iterator(folder.path())->path();
    const std::string host = described.filename().string();
    std::filesystem::remove(described);
    std::ofstream(folder.path() / ("hwloc." + host.substr(0, host.find(".hwloc.xml")) + ".tmp"));
    saveHardware(folder.path());
    EXPECT_FALSE(std::filesystem::exists(described));
    EXPECT_EQ(files(), 1);
}

TEST(Hardware, twoSockets_countsAndPlaces) {
    const Hardware hardware = twoSockets();
    EXPECT_EQ(hardware.sockets, 2);
    EXPECT_EQ(hardware.numaNodes, 2);
    EXPECT_EQ(hardware.cores, 6);
    EXPECT_EQ(hardware.coresOfSocket, 3);
    EXPECT_EQ(hardware.unitsOfCore, 2);
    ASSERT_EQ(hardware.places.size(), 12);
    const auto& place = hardware.places.at(9);
    EXPECT_EQ(place.socket, 1);
    EXPECT_EQ(place.numaNode, 1);
    EXPECT_EQ(place.core, 1);
    EXPECT_EQ(place.unit, 1);
    ASSERT_EQ(hardware.caches.size(), 1);
    EXPECT_EQ(hardware.caches[0].name, "L3");
    EXPECT_EQ(hardware.caches[0].number, 2);
}

TEST(Hardware, numbersOfTheKernel_decide) {
    const Hardware hardware = machine("pack:2 core:2 pu:1(indexes=0,2,1,3)");
    EXPECT_EQ(hardware.places.at(2).socket, 0);
    EXPECT_EQ(hardware.places.at(2).core, 1);
    EXPECT_EQ(hardware.places.at(1).socket, 1);
}

TEST(Hardware, fileThatIsNoDescription_isAnErrorAndLeftOut) {
    const holos::testing::TemporaryDirectory folder;
    const auto file = folder.path() / "host.hwloc.xml";
    std::ofstream(file) << "<topology>";
    EXPECT_THROW(readHardware(file), Error);
    EXPECT_TRUE(savedHardware(folder.path()).empty());
}

TEST(ListOf, rangesAndSingleNumbers) {
    EXPECT_EQ(listOf({0b1101'0111}), "0-2,4,6-7");
    EXPECT_EQ(listOf({0, 1}), "64");
    EXPECT_EQ(listOf({}), "");
}

TEST(Placement, unboundOnTwoSockets_movedAndWhereItWasLongest) {
    const Hardware hardware = twoSockets();
    const auto placement =
        placementOf({{0, {0xFFF}}, {7, {0xFFF}}}, seen({{100, 2}, {150, 8}, {250, 3}}, 280), &hardware);
    EXPECT_TRUE(placement.moved());
    EXPECT_EQ(placement.allowed, "0-11");
    EXPECT_EQ(placement.processor, 8);
    ASSERT_TRUE(placement.place);
    EXPECT_EQ(placement.place->socket, 1);
    EXPECT_EQ(placement.processorsSeen, 3);
    EXPECT_EQ(placement.coresSeen, 2);
    EXPECT_EQ(placement.numaNodesSeen, 2);
    EXPECT_EQ(placement.changesSeen, 2);
    EXPECT_EQ(placement.moves(), 7);
}

TEST(Placement, boundToACore_doesNotMoveBetweenItsUnits) {
    const Hardware hardware = twoSockets();
    const auto placement =
        placementOf({{0, {0b11}}, {3, {0b11}}}, seen({{100, 0}, {150, 1}}, 200), &hardware);
    EXPECT_FALSE(placement.moved());
    EXPECT_EQ(placement.migrations, 3);
}

TEST(Placement, unboundSeenOnOneCore_movedWhereTheKernelSaysSo) {
    const Hardware hardware = twoSockets();
    const auto processors = seen({{100, 4}}, 200);
    EXPECT_FALSE(placementOf({{2, {0xFFF}}, {2, {0xFFF}}}, processors, &hardware).moved());
    EXPECT_TRUE(placementOf({{2, {0xFFF}}, {4, {0xFFF}}}, processors, &hardware).moved());
}

TEST(Placement, killedOrKernelSaysNothing_changesSeenCount) {
    const Hardware hardware = twoSockets();
    const auto processors = seen({{100, 4}, {150, 6}, {170, 4}}, 200);
    EXPECT_EQ(placementOf({{2, {0xFFF}}}, processors, &hardware).moves(), 2);
    EXPECT_EQ(placementOf({{-1, {0xFFF}}, {-1, {0xFFF}}}, processors, &hardware).moves(), 2);
}

TEST(Placement, unknownHardware_processorsOnly) {
    const auto placement = placementOf({{0, {0xFF}}}, seen({{100, 4}, {150, 6}}, 200), nullptr);
    EXPECT_EQ(placement.processor, 4);
    EXPECT_FALSE(placement.place);
    EXPECT_FALSE(placement.moved());
}

TEST(Placement, nothingRecorded_unknown) {
    EXPECT_EQ(placementOf({}, seen({{100, 4}}, 200), nullptr).allowed, "");
}

TEST(Moves, oneOfTwoThreads_namedWithItsCount) {
    TracePlan plan;
    plan.processes.emplace_back().name = "MPI Rank 0";
    auto& locations = plan.processes[0].locations;
    locations = {{0, 0, "Master thread"}, {1, 1, "OMP thread 1"}};
    EXPECT_EQ(describeMoves(plan), "");
    locations[1].placement.coresSeen = 3;
    locations[1].placement.numaNodesSeen = 2;
    locations[1].placement.changesSeen = 5;
    EXPECT_THAT(describeMoves(plan),
                HasSubstr("1 of 2 threads moved between cores, 1 of them between NUMA nodes; "
                          "most often OMP thread 1 of MPI Rank 0, 5 times"));
}

}  // namespace
}  // namespace holos::archive
