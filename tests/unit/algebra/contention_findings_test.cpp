// SPDX-License-Identifier: BSD-3-Clause
// Findings about lines, queues and memory on today's processors: where they are, and where not.
#include <gmock/gmock.h>

#include <map>

#include "algebra/insight/findings/findings.h"
#include "algebra/operators/derive/derive.h"
#include "metric-specs/library.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// By event: the counts in `main/shared`, which does what is looked for, and in `main/own`, which does not.
using Counts = std::map<std::string, std::pair<double, double>>;

/// What is found, and in which of the two call paths.
std::vector<std::pair<std::string, std::string>> placesIn(const std::string& platform, const Counts& counts) {
    Metric time;
    time.uniqueName = time.displayName = "time";
    time.unit = "sec";
    SmallExperiment build(1, 1);
    build.metric(time, "", {{"main/shared", {2}}, {"main/own", {2}}});
    for (const auto& [event, values] : counts)
        build.counter(event, {{"main/shared", {values.first}}, {"main/own", {values.second}}});
    const Experiment experiment = derive(build.take(), specs::find(platform));
    std::vector<std::pair<std::string, std::string>> places;
    for (const FindingResult& one : findings(experiment).found)
        for (const auto& place : one.places)
            places.emplace_back(one.name, experiment.regionOf(place.path).name);
    return places;
}

/// The names of what is found in `main/shared`; the test fails for what is found in `main/own`.
std::vector<std::string> foundIn(const std::string& platform, const Counts& counts) {
    std::vector<std::string> names;
    for (const auto& [name, path] : placesIn(platform, counts)) {
        EXPECT_EQ(path, "shared") << name;
        names.push_back(name);
    }
    return names;
}

TEST(ContentionFindings, zen_namesContendedLinesAndFullQueues) {
    const std::string queues =
        "DISPATCH_RESOURCE_STALL_CYCLES_1:LOAD_QUEUE_RSRC_STALL:STORE_QUEUE_RSRC_STALL";
    const std::map<std::string, std::string> linesOf{
        {"zen2", "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_RMT_CACHE"},
        {"zen3", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:EXT_CACHE_LCL"},
        {"zen4", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_CACHE_NEAR_FAR"},
        {"zen5", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_FAR_CACHE_NEAR"}};
    const std::map<std::string, std::string> farLinesOf{
        {"zen3", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:EXT_CACHE_RMT"},
        {"zen4", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:FAR_CACHE_NEAR_FAR"},
        {"zen5", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_FAR_CACHE_FAR"}};
    for (const auto& [platform, lines] : linesOf) {
        SCOPED_TRACE(platform);
        Counts counts{{"RETIRED_INSTRUCTIONS", {1e6, 1e6}},
                      {"CYCLES_NOT_IN_HALT", {1e6, 1e6}},
                      {lines, {2000, 100}},
                      {queues, {300000, 100000}}};
        if (const auto far = farLinesOf.find(platform); far != farLinesOf.end()) counts[far->second] = {0, 0};
        EXPECT_THAT(foundIn(platform, counts), IsSupersetOf({"CONTENDED_LINES", "FULL_MEMORY_QUEUE"}));
    }
}

TEST(ContentionFindings, neoverse_namesInvalidationsRemoteDataAndStalls) {
    for (const std::string platform : {"neoverse-n1", "neoverse-v1", "neoverse-v2"}) {
        SCOPED_TRACE(platform);
        Counts counts{{"INST_RETIRED", {1e6, 1e6}},
                      {"CPU_CYCLES", {1e6, 1e6}},
                      {"L1D_CACHE_INVAL", {1500, 900}},
                      {"REMOTE_ACCESS", {1100, 900}}};
        std::vector<std::string> expected{"CONTENDED_LINES", "REMOTE_MEMORY"};
        if (platform != "neoverse-n1") {
            counts["STALL_BACKEND_MEM"] = {250000, 150000};
            expected.emplace_back("STALLED_ON_MEMORY");
        }
        EXPECT_THAT(foundIn(platform, counts), IsSupersetOf(expected));
    }
}

TEST(ContentionFindings, power_namesContendedLinesFullQueuesAndStalls) {
    EXPECT_THAT(foundIn("power9", {{"PM_RUN_INST_CMPL", {1e6, 1e6}},
                                   {"PM_RUN_CYC", {1e6, 1e6}},
                                   {"PM_DATA_FROM_L21_MOD", {700, 700}},
                                   {"PM_DATA_FROM_L31_MOD", {700, 100}},
                                   {"PM_DATA_FROM_L31_ECO_MOD", {0, 0}},
                                   {"PM_DATA_FROM_RL2L3_MOD", {0, 0}},
                                   {"PM_DATA_FROM_DL2L3_MOD", {0, 0}},
                                   {"PM_CMPLU_STALL_LMQ_FULL", {150000, 100000}},
                                   {"PM_CMPLU_STALL_SRQ_FULL", {100000, 50000}},
                                   {"PM_CMPLU_STALL_DMISS_L3MISS", {300000, 100000}}}),
                IsSupersetOf({"CONTENDED_LINES", "FULL_MEMORY_QUEUE", "STALLED_ON_MEMORY"}));
    EXPECT_THAT(foundIn("power10", {{"PM_RUN_INST_CMPL", {1e6, 1e6}},
                                    {"PM_RUN_CYC", {1e6, 1e6}},
                                    {"PM_DATA_FROM_L21_REGENT_MOD", {1200, 0}},
                                    {"PM_DATA_FROM_L21_NON_REGENT_MOD_ALT2", {0, 0}},
                                    {"PM_DATA_FROM_L31_REGENT_MOD_ALT3", {0, 0}},
                                    {"PM_DATA_FROM_L31_NON_REGENT_MOD_ALT4", {0, 0}},
                                    {"PM_DATA_FROM_RL2L3_MOD", {0, 0}},
                                    {"PM_DATA_FROM_DL2L3_MOD_ALT2", {0, 0}},
                                    {"PM_EXEC_STALL_DMISS_L3MISS", {300000, 100000}}}),
                IsSupersetOf({"CONTENDED_LINES", "STALLED_ON_MEMORY"}));
}

/// Both miss the first level in a fifth of their accesses. The second level has 7 of 8 of these in one call
/// path, and 3 of 8 in the other one.
TEST(KindsOfMisses, dataOfTheNextCache_wasLost) {
    using Place = std::pair<std::string, std::string>;
    const auto places = placesIn("opteron", {{"FR_X86_INS", {1e6, 1e6}},
                                             {"DC_ACCESS", {400000, 400000}},
                                             {"DC_MISS", {80000, 80000}},
                                             {"DC_L2_REFILL_M", {10000, 0}},
                                             {"DC_L2_REFILL_O", {0, 0}},
                                             {"DC_L2_REFILL_E", {60000, 30000}},
                                             {"DC_L2_REFILL_S", {0, 0}}});
    EXPECT_THAT(places, IsSupersetOf({Place{"L1_LOSES_DATA", "shared"}, Place{"POOR_L2_CACHE_USE", "own"}}));
    EXPECT_THAT(places, Not(Contains(Place{"L1_LOSES_DATA", "own"})));
}

/// Only a part of the sum was counted: what is not known is not found.
TEST(ContentionFindings, someOfTheLines_areNoFinding) {
    EXPECT_THAT(foundIn("power9", {{"PM_RUN_INST_CMPL", {1e6, 1e6}}, {"PM_DATA_FROM_L21_MOD", {5000, 5000}}}),
                IsEmpty());
}

}  // namespace
}  // namespace holos::algebra
