// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <gmock/gmock.h>

#include <array>

#include "algebra/model/processors.h"

namespace holos::analyzer::assemble {
namespace {

using algebra::LocationId;
using algebra::SystemTree;
using Position = std::vector<std::uint64_t>;

/// Two nodes with a process each, which has as many threads as places (socket, core, unit) are given.
SystemTree system(const algebra::Attributes& ofNode, const std::vector<std::array<int, 3>>& places) {
    SystemTree made;
    const auto machine = made.nodes.add({"cluster", "machine", "", {}});
    for (int node = 0; node < 2; ++node) {
        algebra::Process process;
        process.node = made.nodes.add({"n" + std::to_string(node), "node", "", ofNode}, machine);
        made.processes.push_back(process);
        for (const auto& [socket, core, unit] : places) {
            auto& location = made.locations.emplace_back();
            location.process = algebra::ProcessId(made.processes.size() - 1);
            location.attributes = {{"socket", std::to_string(socket)},
                                   {"core", std::to_string(core)},
                                   {"unit", std::to_string(unit)}};
        }
    }
    return made;
}

TEST(HardwareTopology, allDimensions_coresUnitsSocketsNodes) {
    const auto topology = hardwareTopology(
        system({{"sockets", "2"}, {"cores of a socket", "4"}, {"units of a core", "2"}}, {{1, 3, 0}}));
    ASSERT_TRUE(topology);
    ASSERT_EQ(topology->dimensions.size(), 4);
    EXPECT_EQ(topology->dimensions[0].name, "core");
    EXPECT_EQ(topology->dimensions[0].size, 4);
    EXPECT_EQ(topology->dimensions[1].size, 2);
    EXPECT_EQ(topology->dimensions[3].name, "node");
    ASSERT_EQ(topology->coordinates.size(), 2);
    EXPECT_EQ(std::get<LocationId>(topology->coordinates[1].resource), LocationId(1));
    EXPECT_EQ(topology->coordinates[1].position, (Position{3, 0, 1, 1}));
}

TEST(HardwareTopology, nodesSayNothing_asLargeAsWhatThreadsUse) {
    const auto topology = hardwareTopology(system({}, {{0, 0, 0}, {0, 5, 0}}));
    ASSERT_TRUE(topology);
    ASSERT_EQ(topology->dimensions.size(), 2);
    EXPECT_EQ(topology->dimensions[0].size, 6);
    EXPECT_EQ(topology->dimensions[1].name, "node");
}

TEST(HardwareTopology, threadWithoutAPlace_isNotInIt) {
    SystemTree made = system({}, {{0, 1, 0}, {0, 0, 0}});
    made.locations[0].attributes = {{"core", "many"}, {"socket", "0"}};
    EXPECT_EQ(hardwareTopology(made)->coordinates.size(), 3);
    for (auto& location : made.locations) location.attributes.clear();
    EXPECT_FALSE(hardwareTopology(made));
}

}  // namespace
}  // namespace holos::analyzer::assemble
