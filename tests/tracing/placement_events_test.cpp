// SPDX-License-Identifier: BSD-3-Clause
// Where threads run, on a machine that is made up: `programs/threads.c`, `programs/moving.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/model/processors.h"
#include "analyzer/analyze.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using algebra::HardwarePlace;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

/// The first two processors that this test may use, or fewer.
Words processors() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    Words numbers;
    if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return numbers;
    for (int i = 0; i < CPU_SETSIZE && numbers.size() < 2; ++i)
        if (CPU_ISSET(i, &mask)) numbers.push_back(std::to_string(i));
    return numbers;
}

/// Words that pretend that these processors are the cores of two sockets.
Words twoSockets(const Words& numbers) {
    return {"env",
            "HWLOC_SYNTHETIC=pack:2 [numa] core:1 pu:1(indexes=" + numbers[0] + ',' + numbers[1] + ')'};
}

nlohmann::json measurementOf(const std::filesystem::path& archive) {
    std::ifstream file(archive / "measurement.json");
    return nlohmann::json::parse(file);
}

const algebra::Topology* hardwareOf(const algebra::Experiment& experiment) {
    for (const auto& topology : experiment.topologies)
        if (topology.name == "Hardware") return &topology;
    return nullptr;
}

class RecordedPlacement : public ::testing::Test {
  protected:
    void SetUp() override {
        if (processors().size() < 2) GTEST_SKIP() << "this process may use one processor only";
    }
    TemporaryDirectory directory_;
};

TEST_F(RecordedPlacement, boundProgram_allThreadsInItsCore) {
    const Words numbers = processors();
    const auto archive = record(directory_.path(), HOLOS_PROGRAMS "/threads",
                                twoSockets(numbers) + Words{"taskset", "-c", numbers[1]});
    const auto measurement = measurementOf(archive);
    const auto& threads = measurement["processes"][0]["threads"];
    ASSERT_EQ(threads.size(), 3) << measurement;
    for (const auto& thread : threads) {
        EXPECT_EQ(thread["mayUse"], numbers[1]);
        EXPECT_EQ(thread["socket"], 1);
        EXPECT_EQ(thread["numaNode"], 1);
        EXPECT_EQ(thread["coresSeen"], 1);
    }
    EXPECT_FALSE(measurement.contains("moves"));
    EXPECT_EQ(measurement["hardware"].begin()->at("sockets"), 2);

    const auto experiment = analyzer::analyze(archive).experiment;
    for (const auto& location : experiment.system.locations)
        EXPECT_EQ(placeOf(location), (HardwarePlace{1, 0, 0}));
    const auto* hardware = hardwareOf(experiment);
    ASSERT_NE(hardware, nullptr);
    ASSERT_EQ(hardware->dimensions.size(), 2);
    EXPECT_EQ(hardware->dimensions[1].name, "socket");
    EXPECT_EQ(hardware->dimensions[1].size, 2);
    EXPECT_EQ(hardware->coordinates.size(), 3);
    EXPECT_EQ(hardware->coordinates[0].position, (std::vector<std::uint64_t>{0, 1}));
}

TEST_F(RecordedPlacement, threadThatMoves_reportedWithBothProcessors) {
    const Words numbers = processors();
    const auto archive =
        record(directory_.path(), HOLOS_PROGRAMS "/moving", twoSockets(numbers), {}, numbers);
    const auto measurement = measurementOf(archive);
    const auto& thread = measurement["processes"][0]["threads"].at(1);
    EXPECT_EQ(thread["mayUse"], numbers[0]) << measurement;
    EXPECT_EQ(thread["mayUseAtEnd"], numbers[1]);
    EXPECT_EQ(thread["processorsSeen"], 2);
    EXPECT_EQ(thread["coresSeen"], 2);
    EXPECT_EQ(thread["numaNodesSeen"], 2);
    EXPECT_EQ(thread["changesSeen"], 1);
    EXPECT_THAT(measurement["moves"].get<std::string>(), HasSubstr("threads moved between cores, "));
}

}  // namespace
}  // namespace holos::testing
