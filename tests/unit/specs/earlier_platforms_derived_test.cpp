// SPDX-License-Identifier: BSD-3-Clause
// What PAPI's presets and the platforms of earlier years derive from made-up counts, against arithmetic
// written down here.
#include <gmock/gmock.h>

#include "metric-specs/library.h"
#include "tests/unit/specs/derived_values.h"

namespace holos::specs {
namespace {

constexpr double kTolerance = 1e-6;

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

TEST(Papi, coherenceAndLocks_giveTheirShares) {
    const Values values = shownValues(find("papi"), {{"PAPI_TOT_INS", 1000000},
                                                     {"PAPI_TOT_CYC", 2000000},
                                                     {"PAPI_TOT_IIS", 1300000},
                                                     {"PAPI_CA_INV", 4000},
                                                     {"PAPI_CA_ITV", 6000},
                                                     {"PAPI_CA_SHR", 3000},
                                                     {"PAPI_CSR_FAL", 500},
                                                     {"PAPI_CSR_SUC", 1500},
                                                     {"PAPI_FUL_ICY", 400000},
                                                     {"PAPI_FUL_CCY", 200000}});
    EXPECT_NEAR(values.at("COHERENCE_ASKED_BY_OTHERS"), 10000, kTolerance);
    EXPECT_NEAR(values.at("~COHERENCE_ASKED_OF_OTHERS"), 3000, kTolerance);  // without PAPI_CA_CLN
    EXPECT_NEAR(values.at("INVALIDATIONS_PKI"), 4, kTolerance);
    EXPECT_NEAR(values.at("INTERVENTIONS_PKI"), 6, kTolerance);
    EXPECT_NEAR(values.at("EXCLUSIVE_SHARED_PKI"), 3, kTolerance);
    EXPECT_NEAR(values.at("STORE_CONDITIONALS"), 2000, kTolerance);
    EXPECT_NEAR(values.at("STORE_CONDITIONAL_FAILURES"), 25, kTolerance);
    EXPECT_NEAR(values.at("STORE_CONDITIONALS_PKI"), 2, kTolerance);
    EXPECT_NEAR(values.at("FULL_ISSUE_SHARE"), 20, kTolerance);
    EXPECT_NEAR(values.at("FULL_COMPLETION_SHARE"), 10, kTolerance);
    EXPECT_NEAR(values.at("ISSUED_PER_COMPLETED"), 1.3, kTolerance);
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
