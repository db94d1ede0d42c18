// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/recorded_facts.h"

#include <gmock/gmock.h>

#include <fstream>

#include "algebra/operators/recorded_processor.h"
#include "tests/support/temporary_directory.h"

namespace holos::analyzer {
namespace {

algebra::Experiment withMeasurement(const std::string& text) {
    const testing::TemporaryDirectory folder;
    std::ofstream(folder.path() / "measurement.json") << text;
    algebra::Experiment experiment;
    addRecordedFacts(experiment, folder.path());
    return experiment;
}

TEST(RecordedFacts, measurement_givesProcessorAndMoves) {
    const algebra::Experiment experiment = withMeasurement(
        R"({"moves": "2 threads moved", "host": {"processor": "AMD EPYC",
            "processorKind": {"vendor": "AuthenticAMD", "family": 25, "hertz": 2.5e9}}})");
    const specs::Processor processor = algebra::processorOf(experiment);
    EXPECT_EQ(processor.name, "AMD EPYC");
    EXPECT_EQ(processor.vendor, "AuthenticAMD");
    EXPECT_EQ(processor.family, 25U);
    EXPECT_EQ(processor.model, std::nullopt);
    EXPECT_EQ(processor.hertz, 2.5e9);
    EXPECT_THAT(experiment.attributes,
                ::testing::Contains(::testing::Pair("holos::moves", "2 threads moved")));
}

TEST(RecordedFacts, otherTypesAndDamage_leaveAllUnknown) {
    for (const char* text : {"", "{", "[1]", R"({"moves": 1, "host": 2})",
                             R"({"host": {"processor": 1, "processorKind": {"vendor": [], "family": -1}}})"})
        EXPECT_TRUE(withMeasurement(text).attributes.empty()) << text;
}

TEST(RecordedFacts, noMeasurement_leavesAllUnknown) {
    const testing::TemporaryDirectory folder;
    algebra::Experiment experiment;
    addRecordedFacts(experiment, folder.path());
    EXPECT_TRUE(experiment.attributes.empty());
}

}  // namespace
}  // namespace holos::analyzer
