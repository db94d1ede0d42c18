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

TEST(SapphireRapids, topDownAndStalls_partsAddUp) {
    const Values values = shownValues(find("sapphire-rapids"), {{"TOPDOWN:SLOTS_P", 60000},
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

TEST(Niagara2, presets_areTheirNatives) {
    const Values values = shownValues(find("niagara2"), {{"Br_completed", 100},
                                                         {"Br_taken", 30},
                                                         {"Instr_ld", 50},
                                                         {"Instr_st", 20},
                                                         {"IC_miss", 3},
                                                         {"DC_miss", 4}});
    EXPECT_EQ(values.at("PAPI_BR_PRC"), 70);
    EXPECT_EQ(values.at("PAPI_BR_CN"), 130);
    EXPECT_EQ(values.at("PAPI_LST_INS"), 70);
    EXPECT_EQ(values.at("PAPI_L1_TCM"), 7);
    EXPECT_EQ(values.at("BRANCH_PRED"), 70);
}

TEST(R10000, cacheMisses_giveHitsByLevel) {
    const Values values = shownValues(find("r10000"), {{"Graduated_loads", 5000},
                                                       {"Graduated_stores", 3000},
                                                       {"Primary_data_cache_misses", 800},
                                                       {"Secondary_data_cache_misses", 100}});
    EXPECT_EQ(values.at("DATA_ACCESS"), 8000);
    EXPECT_EQ(values.at("DATA_HIT_L1$"), 7200);
    EXPECT_EQ(values.at("DATA_HIT_L2$"), 700);
    EXPECT_NEAR(values.at("L1D_MISS_RATE"), 10, kTolerance);
}

TEST(LinuxSoftware, ratios_followFromTimes) {
    const Values values = shownValues(
        find("linux-software"),
        {{"time", 4.0}, {"task-clock", 3e9}, {"ru_stime", 6e8}, {"ru_nvcsw", 30}, {"ru_nivcsw", 90}});
    EXPECT_NEAR(values.at("CPU_UTILISATION"), 75, kTolerance);
    EXPECT_NEAR(values.at("SYSTEM_TIME_SHARE"), 20, kTolerance);
    EXPECT_NEAR(values.at("SWITCH_RATE"), 30, kTolerance);
    EXPECT_NEAR(values.at("PREEMPTION_SHARE"), 75, kTolerance);
}

TEST(Papi, presets_giveTheGenericHierarchy) {
    const Values values = shownValues(find("papi"), {{"PAPI_TOT_CYC", 2000000},
                                                     {"PAPI_TOT_INS", 1000000},
                                                     {"PAPI_RES_STL", 500000},
                                                     {"PAPI_BR_INS", 100000},
                                                     {"PAPI_BR_MSP", 4000},
                                                     {"PAPI_L1_DCA", 400000},
                                                     {"PAPI_L1_DCM", 40000},
                                                     {"PAPI_L2_DCA", 40000},
                                                     {"PAPI_L2_DCM", 10000},
                                                     {"PAPI_L3_DCA", 10000},
                                                     {"PAPI_L3_DCM", 2500},
                                                     {"PAPI_TLB_DM", 3000}});
    EXPECT_NEAR(values.at("STALL_SHARE"), 25, kTolerance);
    EXPECT_NEAR(values.at("CPI"), 2, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_PRED"), 96000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISP_RATE"), 4, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L1$"), 360000, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L2$"), 30000, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L3$"), 7500, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_MEM"), 2500, kTolerance);
    EXPECT_NEAR(values.at("L1D_MISS_RATE"), 10, kTolerance);
    EXPECT_NEAR(values.at("L3D_MISS_RATE"), 25, kTolerance);
    EXPECT_NEAR(values.at("L2D_MPKI"), 10, kTolerance);
    EXPECT_NEAR(values.at("DATA_TLB_MPKI"), 3, kTolerance);
}

TEST(Papi, readsAndWrites_giveLoadsAndStoresByLevel) {
    const Values values = shownValues(
        find("papi"),
        {{"PAPI_L1_DCR", 3000}, {"PAPI_L1_LDM", 300}, {"PAPI_L1_DCW", 1000}, {"PAPI_L1_STM", 50}});
    EXPECT_NEAR(values.at("DATA_LOAD_FROM_L1$"), 2700, kTolerance);
    EXPECT_NEAR(values.at("DATA_STORE_INTO_L1$"), 950, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L1$"), 3650, kTolerance);
    EXPECT_NEAR(values.at("~DATA_ACCESS"), 3650, kTolerance);  // what the other levels served is not known
}

TEST(Power3, completions_giveCyclesInstructionsAndOperations) {
    const Values values = shownValues(find("power3"), {{"PM_CYC", 10000},
                                                       {"PM_CMPLU_WT_LD", 2000},
                                                       {"PM_CMPLU_WT_ST", 500},
                                                       {"PM_INST_CMPL", 8000},
                                                       {"PM_FPU0_CMPL", 1200},
                                                       {"PM_FPU1_CMPL", 800},
                                                       {"PM_EXEC_FMA", 700},
                                                       {"PM_LD_CMPL", 1500},
                                                       {"PM_ST_CMPL", 500},
                                                       {"PM_LD_MISS_L1", 60},
                                                       {"PM_ST_MISS_L1", 20}});
    EXPECT_NEAR(values.at("STALL"), 2500, kTolerance);
    EXPECT_NEAR(values.at("BUSY"), 7500, kTolerance);
    EXPECT_NEAR(values.at("STALL_SHARE"), 25, kTolerance);
    EXPECT_NEAR(values.at("FLOATING_POINT"), 2000, kTolerance);
    EXPECT_NEAR(values.at("FP_OPERATIONS"), 2700, kTolerance);
    EXPECT_NEAR(values.at("~MEMORY"), 2000, kTolerance);  // without PM_SYNC
    EXPECT_NEAR(values.at("L1D_MPKI"), 10, kTolerance);
}

TEST(Itanium, references_giveHitsOfEachLevel) {
    const Values values = shownValues(find("itanium"), {{"CPU_CYCLES", 10000},
                                                        {"UNSTALLED_BACKEND_CYCLE", 6500},
                                                        {"IA64_INST_RETIRED", 13000},
                                                        {"BRANCH_PREDICTOR_ALL_ALL_PREDICTIONS", 2000},
                                                        {"BRANCH_PREDICTOR_ALL_CORRECT_PREDICTIONS", 1900},
                                                        {"BRANCH_PREDICTOR_ALL_WRONG_PATH", 70},
                                                        {"BRANCH_PREDICTOR_ALL_WRONG_TARGET", 30},
                                                        {"L1D_READS_RETIRED", 4000},
                                                        {"L1D_READ_MISSES_RETIRED", 200},
                                                        {"L2_REFERENCES", 5000},
                                                        {"L2_MISSES", 1000},
                                                        {"L3_REFERENCES", 1000},
                                                        {"L3_MISSES", 400}});
    EXPECT_NEAR(values.at("STALL"), 3500, kTolerance);
    EXPECT_NEAR(values.at("IPC"), 1.3, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISP"), 100, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISP_RATE"), 5, kTolerance);
    EXPECT_NEAR(values.at("L1D_READ_HIT"), 3800, kTolerance);
    EXPECT_NEAR(values.at("L1D_READ_MISS_RATE"), 5, kTolerance);
    EXPECT_NEAR(values.at("L2_HIT"), 4000, kTolerance);
    EXPECT_NEAR(values.at("L3_MISS_RATE"), 40, kTolerance);
}

TEST(Itanium2, bubbles_giveCyclesByReason) {
    const Values values = shownValues(find("itanium2"), {{"CPU_CYCLES", 10000},
                                                         {"BACK_END_BUBBLE_ALL", 4000},
                                                         {"BE_FLUSH_BUBBLE_ALL", 500},
                                                         {"BE_EXE_BUBBLE_ALL", 2000},
                                                         {"BE_EXE_BUBBLE_GRALL", 1200},
                                                         {"BE_EXE_BUBBLE_FRALL", 300},
                                                         {"BE_L1D_FPU_BUBBLE_L1D", 900},
                                                         {"BE_L1D_FPU_BUBBLE_FPU", 100},
                                                         {"IA64_INST_RETIRED", 20000},
                                                         {"L3_REFERENCES", 3000},
                                                         {"L3_MISSES", 600}});
    EXPECT_NEAR(values.at("BUSY"), 6000, kTolerance);
    EXPECT_NEAR(values.at("STALL_EXECUTION_OTHER"), 500, kTolerance);
    EXPECT_NEAR(values.at("STALL_L1D_FPU"), 1000, kTolerance);
    EXPECT_NEAR(values.at("STALL_SHARE"), 40, kTolerance);
    EXPECT_NEAR(values.at("L3_HIT"), 2400, kTolerance);
    EXPECT_NEAR(values.at("L3_MISS_RATE"), 20, kTolerance);
    EXPECT_NEAR(values.at("L3_MPKI"), 30, kTolerance);
}

TEST(Pentium4, events_giveBranchesOperationsAndCache) {
    const Values values =
        shownValues(find("pentium4"), {{"time", 0.5},
                                       {"global_power_events:RUNNING", 30000},
                                       {"instr_retired:NBOGUSNTAG", 20000},
                                       {"branch_retired:MMNP:MMTP", 3800},
                                       {"branch_retired:MMNM:MMTM", 200},
                                       {"uops_retired:NBOGUS", 27000},
                                       {"uops_retired:BOGUS", 3000},
                                       {"x87_FP_uop:ALL", 10},
                                       {"scalar_SP_uop:ALL", 20},
                                       {"scalar_DP_uop:ALL", 30},
                                       {"packed_SP_uop:ALL", 100},
                                       {"packed_DP_uop:ALL", 400},
                                       {"BSQ_cache_reference:RD_2ndL_HITS:RD_2ndL_HITE:RD_2ndL_HITM", 1900},
                                       {"BSQ_cache_reference:RD_2ndL_MISS", 100},
                                       {"page_walk_type:DTMISS", 40}});
    EXPECT_NEAR(values.at("CPI"), 1.5, kTolerance);
    EXPECT_NEAR(values.at("BRANCH"), 4000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISP_RATE"), 5, kTolerance);
    EXPECT_NEAR(values.at("THROWN_AWAY_SHARE"), 10, kTolerance);
    EXPECT_NEAR(values.at("FP_OPERATIONS"), 10 + 20 + 30 + 400 + 800, kTolerance);
    EXPECT_NEAR(values.at("FLOP_RATE"), 2520, kTolerance);
    EXPECT_NEAR(values.at("L2_MISS_RATE"), 5, kTolerance);
    EXPECT_NEAR(values.at("L2_MPKI"), 5, kTolerance);
    EXPECT_NEAR(values.at("DATA_TLB_MPKI"), 2, kTolerance);
}

TEST(AlphaEv67, virtualCounters_giveTheMixOfInstructions) {
    const Values values = shownValues(find("alpha-ev67"), {{"VC_TOTAL_CYCLES", 12000},
                                                           {"VC_TOTAL_INSTR_EXECUTED", 10000},
                                                           {"VC_COND_BR_EXECUTED", 1500},
                                                           {"VC_COND_BR_PREDICTED", 1350},
                                                           {"VC_COND_BR_MISPREDICTED", 150},
                                                           {"VC_UNCOND_BR_EXECUTED", 100},
                                                           {"VC_LOAD_INSTR_EXECUTED", 2500},
                                                           {"VC_STORE_INSTR_EXECUTED", 1000},
                                                           {"VC_SYNCH_INSTR_EXECUTED", 10},
                                                           {"VC_PREFETCH_INSTR_EXECUTED", 40},
                                                           {"VC_FA_INSTR_EXECUTED", 600},
                                                           {"VC_FM_INSTR_EXECUTED", 400}});
    EXPECT_NEAR(values.at("CPI"), 1.2, kTolerance);
    EXPECT_NEAR(values.at("BRANCH"), 1600, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_CONDITIONAL"), 1500, kTolerance);
    EXPECT_NEAR(values.at("MEMORY"), 3550, kTolerance);
    EXPECT_NEAR(values.at("~FLOATING_POINT"), 1000, kTolerance);  // divisions and roots are not known
}

TEST(BlueGeneL, bothCores_addUp) {
    const Values values = shownValues(find("blue-gene-l"), {{"BGL_UPC_PU0_PREF_REQ_VALID", 6000},
                                                            {"BGL_UPC_PU1_PREF_REQ_VALID", 4000},
                                                            {"BGL_UPC_PU0_PREF_STREAM_HIT", 5000},
                                                            {"BGL_UPC_PU1_PREF_STREAM_HIT", 2500},
                                                            {"BGL_FPU_ARITH_ADD_SUBTRACT", 300},
                                                            {"BGL_2NDFPU_ARITH_ADD_SUBTRACT", 200},
                                                            {"BGL_FPU_ARITH_MULT_DIV", 40},
                                                            {"BGL_2NDFPU_ARITH_MULT_DIV", 60},
                                                            {"BGL_FPU_ARITH_OEDIPUS_OP", 5},
                                                            {"BGL_2NDFPU_ARITH_OEDIPUS_OP", 6},
                                                            {"BGL_FPU_ARITH_TRINARY_OP", 1000},
                                                            {"BGL_2NDFPU_ARITH_TRINARY_OP", 2000}});
    EXPECT_NEAR(values.at("L2_ACCESS"), 10000, kTolerance);
    EXPECT_NEAR(values.at("DATA_HIT_L2$"), 7500, kTolerance);
    EXPECT_NEAR(values.at("L2_HIT_RATE"), 75, kTolerance);
    EXPECT_NEAR(values.at("FP_ADD"), 500, kTolerance);
    EXPECT_NEAR(values.at("FLOATING_POINT"), 3611, kTolerance);  // 500 + 100 + 11 + 3,000
}

TEST(CrayX1, vectorOperations_giveOperationsAndShare) {
    const Values values = shownValues(find("cray-x1"), {{"time", 0.5},
                                                        {"X1_P_EV_CYCLES", 10000},
                                                        {"X1_P_EV_STALL_IFU", 1000},
                                                        {"X1_P_EV_INST_GRAD", 4000},
                                                        {"X1_P_EV_INST_BRANCH", 5000},
                                                        {"X1_P_EV_BRANCH_MISPREDICT", 500},
                                                        {"X1_P_EV_INST_S_FP", 2000},
                                                        {"X1_P_EV_VOPS_FP_ADD", 4000},
                                                        {"X1_P_EV_VOPS_FP_MULT", 3000},
                                                        {"X1_P_EV_VOPS_FP_DIV", 500},
                                                        {"X1_P_EV_VOPS_FP_MISC", 500},
                                                        {"X1_P_EV_ITLB_MISS", 1},
                                                        {"X1_P_EV_STLB_MISS", 2},
                                                        {"X1_P_EV_VTLB_MISS", 4}});
    EXPECT_NEAR(values.at("BUSY"), 9000, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_PRED"), 4500, kTolerance);
    EXPECT_NEAR(values.at("BRANCH_MISP_RATE"), 10, kTolerance);
    EXPECT_NEAR(values.at("VECTOR_FP_OPERATIONS"), 8000, kTolerance);
    EXPECT_NEAR(values.at("VECTOR_FLOP_SHARE"), 80, kTolerance);  // 8,000 of 10,000
    EXPECT_NEAR(values.at("FP_OPERATIONS"), 9500, kTolerance);
    EXPECT_NEAR(values.at("FLOP_RATE"), 19000, kTolerance);
    EXPECT_NEAR(values.at("TLB_MISS"), 7, kTolerance);
}

}  // namespace
}  // namespace holos::specs
