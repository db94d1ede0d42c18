// SPDX-License-Identifier: BSD-3-Clause
// What today's platforms say of lines that others change, of full queues and of waiting for memory.
#include <gmock/gmock.h>

#include "metric-specs/library.h"
#include "tests/unit/specs/derived_values.h"

namespace holos::specs {
namespace {

constexpr double kClose = 1e-6;

/// A million instructions; 3,000 lines of another complex, where the platform tells.
void expectLinesFromOthers(const std::string& platform, const Values& lines) {
    SCOPED_TRACE(platform);
    Values measured = lines;
    measured["RETIRED_INSTRUCTIONS"] = 1e6;
    const Values values = shownValues(find(platform), measured);
    EXPECT_NEAR(values.at("LINES_FROM_OTHERS"), 3000, kClose);
    EXPECT_NEAR(values.at("LINES_FROM_OTHERS_PKI"), 3, kClose);
}

TEST(ZenContention, linesOfOtherComplexes_areThoseOfOthers) {
    expectLinesFromOthers("zen2", {{"DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_RMT_CACHE", 3000}});
    expectLinesFromOthers("zen3", {{"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:EXT_CACHE_LCL", 2000},
                                   {"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:EXT_CACHE_RMT", 1000}});
    expectLinesFromOthers("zen4", {{"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_CACHE_NEAR_FAR", 2000},
                                   {"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:FAR_CACHE_NEAR_FAR", 1000}});
    expectLinesFromOthers("zen5", {{"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_FAR_CACHE_NEAR", 2000},
                                   {"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_FAR_CACHE_FAR", 1000}});
}

TEST(ZenContention, halfOfTheLines_areNotKnown) {
    const Values values = shownValues(
        find("zen4"),
        {{"RETIRED_INSTRUCTIONS", 1e6}, {"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_CACHE_NEAR_FAR", 2000}});
    EXPECT_FALSE(values.contains("LINES_FROM_OTHERS"));
    EXPECT_FALSE(values.contains("LINES_FROM_OTHERS_PKI"));
}

TEST(ZenContention, fullQueues_areAPartOfTheCycles) {
    for (const char* platform : {"zen2", "zen3", "zen4", "zen5"}) {
        SCOPED_TRACE(platform);
        const Values values = shownValues(
            find(platform),
            {{"CYCLES_NOT_IN_HALT", 10000},
             {"DISPATCH_RESOURCE_STALL_CYCLES_1:LOAD_QUEUE_RSRC_STALL:STORE_QUEUE_RSRC_STALL", 2500}});
        EXPECT_NEAR(values.at("FULL_QUEUE_SHARE"), 25, kClose);
        EXPECT_NEAR(values.at("FULL_QUEUE_TIME"), 2500 / 1e9, 1e-15);
    }
}

TEST(NeoverseContention, invalidationsAndRemoteAccesses_areRelatedToInstructions) {
    for (const char* platform : {"neoverse-n1", "neoverse-v1", "neoverse-v2"}) {
        SCOPED_TRACE(platform);
        const Values values = shownValues(
            find(platform), {{"INST_RETIRED", 1e6}, {"L1D_CACHE_INVAL", 4000}, {"REMOTE_ACCESS", 500}});
        EXPECT_NEAR(values.at("INVALIDATIONS_PKI"), 4, kClose);
        EXPECT_NEAR(values.at("REMOTE_PKI"), 0.5, kClose);
    }
}

TEST(NeoverseContention, stallsForMemory_areAPartOfTheCycles) {
    for (const char* platform : {"neoverse-v1", "neoverse-v2"}) {
        SCOPED_TRACE(platform);
        const Values values = shownValues(
            find(platform), {{"CPU_CYCLES", 10000}, {"STALL_BACKEND", 5000}, {"STALL_BACKEND_MEM", 3000}});
        EXPECT_NEAR(values.at("MEMORY_STALL_SHARE"), 30, kClose);
        EXPECT_NEAR(values.at("MEMORY_STALL_TIME"), 3000 / 1e9, 1e-15);
    }
}

TEST(PowerContention, modifiedLines_areAddedUp) {
    const Values power9 = shownValues(find("power9"), {{"PM_RUN_INST_CMPL", 1e6},
                                                       {"PM_RUN_CYC", 10000},
                                                       {"PM_DATA_FROM_L21_MOD", 1000},
                                                       {"PM_DATA_FROM_L31_MOD", 500},
                                                       {"PM_DATA_FROM_L31_ECO_MOD", 0},
                                                       {"PM_DATA_FROM_RL2L3_MOD", 300},
                                                       {"PM_DATA_FROM_DL2L3_MOD", 200},
                                                       {"PM_CMPLU_STALL_LMQ_FULL", 1500},
                                                       {"PM_CMPLU_STALL_SRQ_FULL", 500},
                                                       {"PM_CMPLU_STALL_DMISS_L3MISS", 4000}});
    EXPECT_NEAR(power9.at("LINES_FROM_OTHERS_PKI"), 2, kClose);
    EXPECT_NEAR(power9.at("FULL_QUEUE_SHARE"), 20, kClose);
    EXPECT_NEAR(power9.at("MEMORY_STALL_SHARE"), 40, kClose);
    const Values power10 = shownValues(find("power10"), {{"PM_RUN_INST_CMPL", 1e6},
                                                         {"PM_RUN_CYC", 10000},
                                                         {"PM_DATA_FROM_L21_REGENT_MOD", 100},
                                                         {"PM_DATA_FROM_L21_NON_REGENT_MOD_ALT2", 200},
                                                         {"PM_DATA_FROM_L31_REGENT_MOD_ALT3", 300},
                                                         {"PM_DATA_FROM_L31_NON_REGENT_MOD_ALT4", 400},
                                                         {"PM_DATA_FROM_RL2L3_MOD", 500},
                                                         {"PM_DATA_FROM_DL2L3_MOD_ALT2", 600},
                                                         {"PM_EXEC_STALL_DMISS_L3MISS", 3000}});
    EXPECT_NEAR(power10.at("LINES_FROM_OTHERS"), 2100, kClose);
    EXPECT_NEAR(power10.at("LINES_FROM_OTHERS_PKI"), 2.1, kClose);
    EXPECT_NEAR(power10.at("MEMORY_STALL_SHARE"), 30, kClose);
}

/// A sum of which a part was not counted says so in its name; the quotient of it does as well.
TEST(PowerContention, someOfTheLines_areIncomplete) {
    const Values values =
        shownValues(find("power9"), {{"PM_RUN_INST_CMPL", 1e6}, {"PM_DATA_FROM_L21_MOD", 1000}});
    EXPECT_NEAR(values.at("~LINES_FROM_OTHERS"), 1000, kClose);
    EXPECT_FALSE(values.contains("LINES_FROM_OTHERS_PKI"));
}

}  // namespace
}  // namespace holos::specs
