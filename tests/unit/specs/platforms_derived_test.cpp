// SPDX-License-Identifier: BSD-3-Clause
// What today's platforms derive from made-up counts, against arithmetic written down here.
#include <gmock/gmock.h>

#include "metric-specs/library.h"
#include "tests/unit/specs/derived_values.h"

namespace holos::specs {
namespace {

constexpr double kTolerance = 1e-6;

/// 10,000 cycles of 4 slots: 16,000 retired, 2,000 + 4 * 500 lost to speculation, 8,000 not delivered.
TEST(SkylakeSp, topDown_givesSlotsByReason) {
    const Values values =
        shownValues(find("skylake-sp"), {{"CPU_CLK_UNHALTED:THREAD_P", 10000},
                                         {"UOPS_RETIRED:RETIRE_SLOTS", 16000},
                                         {"UOPS_ISSUED:ANY", 18000},
                                         {"INT_MISC:RECOVERY_CYCLES", 500},
                                         {"IDQ_UOPS_NOT_DELIVERED:CORE", 8000},
                                         {"IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE", 1500},
                                         {"BR_MISP_RETIRED:ALL_BRANCHES", 30},
                                         {"MACHINE_CLEARS:COUNT", 10},
                                         {"CYCLE_ACTIVITY:STALLS_TOTAL", 3000},
                                         {"CYCLE_ACTIVITY:STALLS_MEM_ANY", 2000},
                                         {"EXE_ACTIVITY:BOUND_ON_STORES", 100},
                                         {"EXE_ACTIVITY:1_PORTS_UTIL", 700},
                                         {"EXE_ACTIVITY:2_PORTS_UTIL", 500}});
    EXPECT_NEAR(values.at("SLOTS"), 40000, kTolerance);
    EXPECT_NEAR(values.at("RETIRING"), 16000, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 4000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISPREDICTS"), 3000, kTolerance);  // 30 of 40
    EXPECT_NEAR(values.at("MACHINE_CLEARS"), 1000, kTolerance);
    EXPECT_NEAR(values.at("FRONTEND_BOUND"), 8000, kTolerance);
    EXPECT_NEAR(values.at("FETCH_LATENCY"), 6000, kTolerance);
    EXPECT_NEAR(values.at("FETCH_BANDWIDTH"), 2000, kTolerance);
    EXPECT_NEAR(values.at("BACKEND_BOUND"), 12000, kTolerance);  // 40,000 - 8,000 - 18,000 - 2,000
    // (2,000 + 100) of (3,000 + 700 + 100 + 500 * 16,000 / 40,000)
    EXPECT_NEAR(values.at("MEMORY_BOUND"), 12000 * 2100.0 / 4000, kTolerance);
    EXPECT_NEAR(values.at("CORE_BOUND"), 12000 * 1900.0 / 4000, kTolerance);
    EXPECT_NEAR(values.at("BACKEND_SHARE"), 30, kTolerance);
    EXPECT_NEAR(values.at("RETIRING_SHARE"), 40, kTolerance);
    EXPECT_NEAR(values.at("STALL_SHARE"), 30, kTolerance);
    EXPECT_NEAR(values.at("STALL_TIME"), 3000 / 1e9, 1e-15);
}

/// Without the events of the second level the first level is there all the same.
TEST(SkylakeSp, firstSetAlone_givesTheFirstLevel) {
    const Specification specification = find("skylake-sp");
    Values counts;
    for (const std::string& event : specification.set("SKX_TOPDOWN").events) counts[event] = 10000;
    const Values values = shownValues(specification, counts);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 40000, kTolerance);  // 10,000 - 10,000 + 4 * 10,000
    EXPECT_NEAR(values.at("BACKEND_BOUND"), -20000, kTolerance);   // 40,000 - 10,000 - 10,000 - 40,000
    EXPECT_FALSE(values.contains("MEMORY_BOUND"));
    EXPECT_NEAR(values.at("SLOTS"), 40000, kTolerance);
}

TEST(SkylakeSp, loads_giveHitsByLevelAndMissRates) {
    const Values values = shownValues(find("skylake-sp"), {{"INST_RETIRED:ANY_P", 1e6},
                                                           {"CPU_CLK_UNHALTED:THREAD_P", 5e5},
                                                           {"MEM_LOAD_RETIRED:L1_HIT", 200000},
                                                           {"MEM_LOAD_RETIRED:FB_HIT", 50000},
                                                           {"MEM_LOAD_RETIRED:L2_HIT", 30000},
                                                           {"MEM_LOAD_RETIRED:L3_HIT", 15000},
                                                           {"MEM_LOAD_RETIRED:L3_MISS", 5000}});
    EXPECT_NEAR(values.at("DATA_ACCESS"), 300000, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L1$"), 250000, kTolerance);
    EXPECT_NEAR(values.at("L1D_MISS_RATE"), 100 * 50000.0 / 300000, kTolerance);
    EXPECT_NEAR(values.at("L2D_MISS_RATE"), 100 * 20000.0 / 50000, kTolerance);
    EXPECT_NEAR(values.at("L3D_MISS_RATE"), 100 * 5000.0 / 20000, kTolerance);
    EXPECT_NEAR(values.at("L1D_MPKI"), 50, kTolerance);
    EXPECT_NEAR(values.at("L3D_MPKI"), 5, kTolerance);
    EXPECT_NEAR(values.at("IPC"), 2, kTolerance);
    EXPECT_NEAR(values.at("CPI"), 0.5, kTolerance);
}

TEST(IcelakeSp, floatingPoint_countsElements) {
    const Values values = shownValues(find("icelake-sp"), {{"time", 2.0},
                                                           {"CPU_CLK_UNHALTED:THREAD_P", 1000},
                                                           {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 100},
                                                           {"FP_ARITH_INST_RETIRED:SCALAR_SINGLE", 10},
                                                           {"FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", 20},
                                                           {"FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", 30},
                                                           {"FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", 40},
                                                           {"FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", 50},
                                                           {"FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", 60},
                                                           {"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", 70}});
    const double flops = 100 + 10 + 2 * 20 + 4 * 30 + 4 * 40 + 8 * 50 + 8 * 60 + 16 * 70;
    EXPECT_NEAR(values.at("FP_OPERATIONS"), flops, kTolerance);
    EXPECT_NEAR(values.at("FLOP_RATE"), flops / 2, kTolerance);
    EXPECT_NEAR(values.at("FLOP_PER_CYCLE"), flops / 1000, kTolerance);
    EXPECT_NEAR(values.at("SCALAR_FLOP_SHARE"), 100 * 110 / flops, kTolerance);
}

TEST(IcelakeSp, topDown_partsAddUp) {
    const Values values =
        shownValues(find("icelake-sp"), {{"TOPDOWN:SLOTS_P", 50000},
                                         {"UOPS_RETIRED:SLOTS", 20000},
                                         {"IDQ_UOPS_NOT_DELIVERED:CORE", 9000},
                                         {"IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE", 1200},
                                         {"INT_MISC:UOP_DROPPING", 500},
                                         {"perf_raw::r02a4", 18000},
                                         {"BR_MISP_RETIRED:ALL_BRANCHES", 60},
                                         {"MACHINE_CLEARS:COUNT", 10}});
    EXPECT_NEAR(values.at("SLOTS"), 50000, kTolerance);
    EXPECT_NEAR(values.at("FRONTEND_BOUND"), 8500, kTolerance);
    EXPECT_NEAR(values.at("FETCH_LATENCY"), 5500, kTolerance);       // 5 * 1,200 - 500
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 3500, kTolerance);     // 50,000 - 20,000 - 8,500 - 18,000
    EXPECT_NEAR(values.at("BRANCH_MISPREDICTS"), 3000, kTolerance);  // 60 of 70
    EXPECT_NEAR(values.at("MACHINE_CLEARS"), 500, kTolerance);
    EXPECT_NEAR(values.at("BACKEND_BOUND"), 18000, kTolerance);
}

/// Granite Rapids counts the same events.
TEST(SapphireRapids, topDownAndStalls_partsAddUp) {
    for (const char* platform : {"sapphire-rapids", "granite-rapids"}) {
        SCOPED_TRACE(platform);
        const Values values = shownValues(find(platform), {{"TOPDOWN:SLOTS_P", 60000},
                                                           {"CPU_CLK_UNHALTED:THREAD_P", 10000},
                                                           {"perf_raw::r02a4", 30000},
                                                           {"perf_raw::r10a4", 21000},
                                                           {"perf_raw::r04a4", 5000},
                                                           {"perf_raw::r08a4", 4000},
                                                           {"CYCLE_ACTIVITY:STALLS_TOTAL", 6000},
                                                           {"EXE_ACTIVITY:BOUND_ON_LOADS", 5000},
                                                           {"MEMORY_ACTIVITY:STALLS_L1D_MISS", 4500},
                                                           {"MEMORY_ACTIVITY:STALLS_L2_MISS", 3500},
                                                           {"MEMORY_ACTIVITY:STALLS_L3_MISS", 2500}});
        EXPECT_NEAR(values.at("CORE_BOUND"), 9000, kTolerance);
        EXPECT_NEAR(values.at("MACHINE_CLEARS"), 1000, kTolerance);
        EXPECT_NEAR(values.at("STALL_L1$"), 500, kTolerance);
        EXPECT_NEAR(values.at("STALL_L2$"), 1000, kTolerance);
        EXPECT_NEAR(values.at("STALL_L3$"), 1000, kTolerance);
        EXPECT_NEAR(values.at("STALL_DRAM"), 2500, kTolerance);
        EXPECT_NEAR(values.at("STALL_OTHER"), 1000, kTolerance);
        EXPECT_NEAR(values.at("DRAM_STALL_SHARE"), 25, kTolerance);
    }
}

/// 10,000 cycles of 6 slots; nothing is lost in the sum.
TEST(Zen4, pipelineUtilisation_givesSlotsByReason) {
    const Values values = shownValues(find("zen4"), {{"CYCLES_NOT_IN_HALT", 10000},
                                                     {"RETIRED_OPS", 24000},
                                                     {"RETIRED_UCODE_OPS", 1000},
                                                     {"OPS_SOURCE_DISPATCHED_FROM_DECODER:DECODER:OPCACHE:"
                                                      "LOOP_BUFFER",
                                                      30000},
                                                     {"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 90},
                                                     {"RESYNCS", 10},
                                                     {"DISPATCH_STALLS_1:FE_NO_OPS", 10000},
                                                     {"DISPATCH_STALLS_1:FE_NO_OPS:c=6", 1000},
                                                     {"DISPATCH_STALLS_1:BE_STALLS", 16000},
                                                     {"DISPATCH_STALLS_1:SMT_CONTENTION", 4000},
                                                     {"CYCLES_NO_RETIRE:NOT_COMPLETE_LOAD_AND_ALU", 4000},
                                                     {"CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD", 3000}});
    EXPECT_NEAR(values.at("SLOTS"), 60000, kTolerance);
    EXPECT_NEAR(values.at("RETIRING_FASTPATH"), 23000, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 6000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISPREDICTS"), 5400, kTolerance);
    EXPECT_NEAR(values.at("MACHINE_CLEARS"), 600, kTolerance);
    EXPECT_NEAR(values.at("FETCH_LATENCY"), 6000, kTolerance);
    EXPECT_NEAR(values.at("FETCH_BANDWIDTH"), 4000, kTolerance);
    EXPECT_NEAR(values.at("MEMORY_BOUND"), 12000, kTolerance);
    EXPECT_NEAR(values.at("CORE_BOUND"), 4000, kTolerance);
}

TEST(Zen5, pipelineUtilisation_hasEightSlotsACycle) {
    const Values values =
        shownValues(find("zen5"), {{"CYCLES_NOT_IN_HALT", 10000},
                                   {"RETIRED_OPS", 40000},
                                   {"RETIRED_UCODE_OPS", 1000},
                                   {"OPS_SOURCE_DISPATCHED_FROM_DECODER:DECODER:OPCACHE", 46000},
                                   {"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 90},
                                   {"BP_REDIRECTS:RESYNC", 10},
                                   {"DISPATCH_STALLS_1:FE_NO_OPS", 12000},
                                   {"DISPATCH_STALLS_1:FE_NO_OPS:c=8", 1000},
                                   {"DISPATCH_STALLS_1:BE_STALLS", 16000},
                                   {"DISPATCH_STALLS_1:SMT_CONTENTION", 6000},
                                   {"CYCLES_NO_RETIRE:NOT_COMPLETE_LOAD_AND_ALU", 4000},
                                   {"perf_raw::ra2d6", 3000}});
    EXPECT_NEAR(values.at("SLOTS"), 80000, kTolerance);
    EXPECT_NEAR(values.at("RETIRING_FASTPATH"), 39000, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 6000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISPREDICTS"), 5400, kTolerance);
    EXPECT_NEAR(values.at("FETCH_LATENCY"), 8000, kTolerance);
    EXPECT_NEAR(values.at("FETCH_BANDWIDTH"), 4000, kTolerance);
    EXPECT_NEAR(values.at("MEMORY_BOUND"), 12000, kTolerance);
    EXPECT_NEAR(values.at("CORE_BOUND"), 4000, kTolerance);
    EXPECT_NEAR(values.at("BACKEND_SHARE"), 20, kTolerance);
}

TEST(SapphireRapids, fetchAndDivision_areToldApartInCycles) {
    const Values values = shownValues(find("sapphire-rapids"), {{"ICACHE_DATA:STALLS", 500},
                                                                {"ICACHE_TAG:STALLS", 300},
                                                                {"ITLB_MISSES:WALK_ACTIVE", 200},
                                                                {"INT_MISC:CLEAR_RESTEER_CYCLES", 90},
                                                                {"DECODE:LCP", 7},
                                                                {"DSB2MITE_SWITCHES:PENALTY_CYCLES", 3},
                                                                {"ARITH:DIV_ACTIVE", 60},
                                                                {"ARITH:FPDIV_ACTIVE", 45}});
    EXPECT_NEAR(values.at("FETCH_DELAYS"), 900, kTolerance);
    EXPECT_NEAR(values.at("ITLB_SECOND_LEVEL_CYCLES"), 100, kTolerance);
    EXPECT_NEAR(values.at("ITLB_WALK_CYCLES"), 200, kTolerance);
    EXPECT_NEAR(values.at("DIVIDER_CYCLES"), 60, kTolerance);
    EXPECT_NEAR(values.at("INTEGER_DIVIDER_CYCLES"), 15, kTolerance);
}

TEST(SkylakeSp, resteers_areSharedByTheirReasons) {
    const Values values = shownValues(find("skylake-sp"), {{"ICACHE_16B:IFDATA_STALL", 500},
                                                           {"ICACHE_16B:IFDATA_STALL:c=1:e", 10},
                                                           {"INT_MISC:CLEAR_RESTEER_CYCLES", 400},
                                                           {"BR_MISP_RETIRED:ALL_BRANCHES", 30},
                                                           {"MACHINE_CLEARS:COUNT", 10},
                                                           {"BACLEARS:ANY", 20}});
    EXPECT_NEAR(values.at("ICACHE_MISS_CYCLES"), 520, kTolerance);
    EXPECT_NEAR(values.at("MISPREDICT_RESTEER_CYCLES"), 300, kTolerance);
    EXPECT_NEAR(values.at("CLEAR_RESTEER_CYCLES"), 100, kTolerance);
    EXPECT_NEAR(values.at("UNKNOWN_BRANCH_CYCLES"), 180, kTolerance);
    EXPECT_NEAR(values.at("RESTEER_CYCLES"), 580, kTolerance);
}

TEST(Zen5, operationsAndLinesFromMemory_giveTheirRatio) {
    const std::string fill = "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:";
    const Values values = shownValues(
        find("zen5"),
        {{"RETIRED_SSE_AVX_FLOPS:ANY", 64000}, {fill + "DRAM_IO_NEAR", 1500}, {fill + "DRAM_IO_FAR", 500}});
    EXPECT_NEAR(values.at("MEMORY_BYTES"), 128'000, kTolerance);
    EXPECT_NEAR(values.at("FLOP_PER_BYTE"), 0.5, kTolerance);
}

TEST(Zen3, dispatchCounts_giveUtilisationAndLevels) {
    const std::string fill = "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:";
    const Values values =
        shownValues(find("zen3"), {{"CYCLES_NOT_IN_HALT", 10000},
                                   {"RETIRED_OPS", 24000},
                                   {"OPS_TYPE_DISPATCHED_FROM_DECODER:FP_DISP_RETIRE_MODE", 10000},
                                   {"OPS_TYPE_DISPATCHED_FROM_DECODER:INT_DISP_RETIRE_MODE", 16000},
                                   {"UOPS_QUEUE_EMPTY", 2500},
                                   {"LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH", 9000},
                                   {fill + "LCL_L2", 500},
                                   {fill + "INT_CACHE", 200},
                                   {fill + "EXT_CACHE_LCL", 20},
                                   {fill + "EXT_CACHE_RMT", 10},
                                   {fill + "MEM_IO_LCL", 1200},
                                   {fill + "MEM_IO_RMT", 300}});
    EXPECT_NEAR(values.at("SLOTS"), 60000, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 2000, kTolerance);
    EXPECT_NEAR(values.at("NOT_DISPATCHED"), 34000, kTolerance);
    EXPECT_NEAR(values.at("QUEUE_FILLED"), 7500, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L1$"), 9000 - 500 - 230 - 1500, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L3$"), 230, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_MEM"), 1500, kTolerance);
    EXPECT_NEAR(values.at("MEMORY_LOCALITY"), 80, kTolerance);
    EXPECT_NEAR(values.at("L2D_MISS_RATE"), 100 * 1730.0 / 2230, kTolerance);
}

TEST(Zen2, dispatchAndMemory_giveUtilisationAndBandwidth) {
    const std::string refill = "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_";
    const std::string prefetched = "HARDWARE_PREFETCH_DATA_CACHE_FILLS:LS_MABRESP_";
    const Values values = shownValues(find("zen2"), {{"time", 0.5},
                                                     {"RETIRED_UOPS", 900},
                                                     {"UOPS_DISPATCHED_FROM_DECODER:DECODER_DISPATCHED", 600},
                                                     {"UOPS_DISPATCHED_FROM_DECODER:OPCACHE_DISPATCHED", 500},
                                                     {refill + "LCL_DRAM", 100},
                                                     {refill + "RMT_DRAM", 50},
                                                     {prefetched + "LCL_DRAM", 40},
                                                     {prefetched + "RMT_DRAM", 10}});
    EXPECT_NEAR(values.at("OPS_DISPATCHED"), 1100, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 200, kTolerance);
    EXPECT_NEAR(values.at("MEMORY_READ_BANDWIDTH"), 64 * 200 / 0.5, kTolerance);
}

/// 10,000 cycles of 8 slots, 48,000 of them lost; of the operations begun nine tenths are completed.
TEST(NeoverseV2, topDown_givesSlotsByReason) {
    const Values values = shownValues(find("neoverse-v2"), {{"CPU_CYCLES", 10000},
                                                            {"STALL_SLOT", 48000},
                                                            {"STALL_SLOT_FRONTEND", 8000},
                                                            {"STALL_SLOT_BACKEND", 40000},
                                                            {"OP_RETIRED", 27000},
                                                            {"OP_SPEC", 30000},
                                                            {"STALL_FRONTEND", 1000},
                                                            {"STALL_BACKEND", 4000},
                                                            {"STALL_BACKEND_MEM", 3000},
                                                            {"FP_SCALE_OPS_SPEC", 700},
                                                            {"FP_FIXED_OPS_SPEC", 300}});
    EXPECT_NEAR(values.at("SLOTS"), 80000, kTolerance);
    EXPECT_NEAR(values.at("RETIRING"), 28800, kTolerance);
    EXPECT_NEAR(values.at("BAD_SPECULATION"), 3200, kTolerance);
    EXPECT_NEAR(values.at("BUSY"), 5000, kTolerance);
    EXPECT_NEAR(values.at("STALL_BACKEND_OTHER"), 1000, kTolerance);
    EXPECT_NEAR(values.at("FP_OPERATIONS"), 1000, kTolerance);
}

TEST(NeoverseV1, floatingPoint_scalesWithTheVectorLength) {
    const Values values =
        shownValues(find("neoverse-v1"), {{"FP_SCALE_OPS_SPEC", 700}, {"FP_FIXED_OPS_SPEC", 300}});
    EXPECT_NEAR(values.at("FP_OPERATIONS"), 1700, kTolerance);  // 256 bits: twice per 128
}

TEST(NeoverseN1, stalls_giveBusyCycles) {
    const Values values = shownValues(find("neoverse-n1"), {{"CPU_CYCLES", 10000},
                                                            {"INST_RETIRED", 8000},
                                                            {"STALL_FRONTEND", 1000},
                                                            {"STALL_BACKEND", 5000},
                                                            {"L1D_CACHE", 3000},
                                                            {"L1D_CACHE_REFILL", 300},
                                                            {"LL_CACHE_RD", 2000},
                                                            {"LL_CACHE_MISS_RD", 500}});
    EXPECT_NEAR(values.at("BUSY"), 4000, kTolerance);
    EXPECT_NEAR(values.at("STALL_SHARE"), 60, kTolerance);
    EXPECT_NEAR(values.at("L1D_MISS_RATE"), 10, kTolerance);
    EXPECT_NEAR(values.at("L1D_MPKI"), 37.5, kTolerance);
    EXPECT_NEAR(values.at("LL_MISS_RATE"), 25, kTolerance);
}

TEST(A64fx, commits_giveCyclesByReason) {
    const Values values = shownValues(find("a64fx"), {{"CPU_CYCLES", 10000},
                                                      {"0INST_COMMIT", 6000},
                                                      {"1INST_COMMIT", 1000},
                                                      {"2INST_COMMIT", 1500},
                                                      {"3INST_COMMIT", 500},
                                                      {"4INST_COMMIT", 1000},
                                                      {"LD_COMP_WAIT", 4000},
                                                      {"LD_COMP_WAIT_L2_MISS", 2500},
                                                      {"LD_COMP_WAIT_L1_MISS", 800},
                                                      {"LD_COMP_WAIT_PFP_BUSY", 100},
                                                      {"EU_COMP_WAIT", 1500},
                                                      {"FL_COMP_WAIT", 1200},
                                                      {"FP_DP_FIXED_OPS_SPEC", 10},
                                                      {"FP_DP_SCALE_OPS_SPEC", 100}});
    EXPECT_NEAR(values.at("BUSY"), 4000, kTolerance);
    EXPECT_NEAR(values.at("WAIT_LOAD_L1"), 600, kTolerance);
    EXPECT_NEAR(values.at("WAIT_INTEGER"), 300, kTolerance);
    EXPECT_NEAR(values.at("MEMORY_WAIT_SHARE"), 25, kTolerance);
    EXPECT_NEAR(values.at("FLOP_DOUBLE"), 410, kTolerance);  // 512 bits: four times per 128
}

TEST(Power9, stack_leavesTheRestVisible) {
    const Values values = shownValues(find("power9"), {{"PM_RUN_CYC", 10000},
                                                       {"PM_1PLUS_PPC_CMPL", 2500},
                                                       {"PM_CMPLU_STALL", 5000},
                                                       {"PM_CMPLU_STALL_THRD", 300},
                                                       {"PM_ICT_NOSLOT_CYC", 2000},
                                                       {"PM_CMPLU_STALL_BRU", 100},
                                                       {"PM_CMPLU_STALL_EXEC_UNIT", 1400},
                                                       {"PM_CMPLU_STALL_LSU", 3000},
                                                       {"PM_CMPLU_STALL_NTC_FLUSH", 200},
                                                       {"PM_CMPLU_STALL_NTC_DISP_FIN", 50},
                                                       {"PM_CMPLU_STALL_DMISS_L3MISS", 900},
                                                       {"PM_CMPLU_STALL_DMISS_L21_L31", 100},
                                                       {"PM_CMPLU_STALL_DMISS_LMEM", 500},
                                                       {"PM_CMPLU_STALL_DMISS_REMOTE", 200}});
    EXPECT_NEAR(values.at("OTHER_CYCLES"), 200, kTolerance);
    EXPECT_NEAR(values.at("STALL_OTHER"), 250, kTolerance);
    EXPECT_NEAR(values.at("STALL_DISTANT"), 100, kTolerance);
    EXPECT_NEAR(values.at("STALL_SHARE"), 50, kTolerance);
}

TEST(Power10, stack_givesBusyCycles) {
    const Values values = shownValues(find("power10"), {{"PM_RUN_CYC", 10000},
                                                        {"PM_DISP_STALL_CYC", 2000},
                                                        {"PM_ISSUE_STALL", 500},
                                                        {"PM_EXEC_STALL", 4000},
                                                        {"PM_CMPL_STALL", 300}});
    EXPECT_NEAR(values.at("STALL"), 6800, kTolerance);
    EXPECT_NEAR(values.at("BUSY"), 3200, kTolerance);
    EXPECT_NEAR(values.at("STALL_TIME"), 6800 / 1e9, 1e-15);
}

TEST(LinuxSoftware, ratios_followFromTimes) {
    const Values values = shownValues(find("linux-software"), {{"time", 4.0},
                                                               {"task-clock", 3e9},
                                                               {"ru_utime", 24e8},
                                                               {"ru_stime", 6e8},
                                                               {"ru_nvcsw", 30},
                                                               {"ru_nivcsw", 90}});
    EXPECT_NEAR(values.at("CPU_UTILISATION"), 75, kTolerance);
    EXPECT_NEAR(values.at("SYSTEM_TIME_SHARE"), 20, kTolerance);
    EXPECT_NEAR(values.at("SWITCH_RATE"), 30, kTolerance);
    EXPECT_NEAR(values.at("PREEMPTION_SHARE"), 75, kTolerance);
}

/// perf counted less than getrusage.
TEST(LinuxSoftware, partsCountMoreThanTheirTotals_sharesStayBelowOneHundred) {
    const Values values = shownValues(find("linux-software"), {{"time", 4.0},
                                                               {"task-clock", 5e8},
                                                               {"ru_utime", 0},
                                                               {"ru_stime", 6e8},
                                                               {"context-switches", 80},
                                                               {"ru_nvcsw", 0},
                                                               {"ru_nivcsw", 90}});
    EXPECT_NEAR(values.at("SYSTEM_TIME_SHARE"), 100, kTolerance);
    EXPECT_NEAR(values.at("PREEMPTION_SHARE"), 100, kTolerance);
}

}  // namespace
}  // namespace holos::specs
