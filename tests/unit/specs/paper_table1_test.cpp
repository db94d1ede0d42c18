// SPDX-License-Identifier: BSD-3-Clause
// Table 1 of the KOJAK paper: from its absolute counts (10^9) the platform files give its percentages.
#include <gmock/gmock.h>

#include "metric-specs/library.h"
#include "tests/unit/specs/derived_values.h"

namespace holos::specs {
namespace {

/// Half of the last digit that the table prints.
constexpr double kPrinted = 0.05;

Values inBillions(Values counts) {
    for (auto& each : counts) each.second *= 1e9;
    return counts;
}

class Table1 : public ::testing::Test {
  protected:
    void derive(const char* platform, const Values& counts) {
        values_ = shownValues(find(platform), inBillions(counts));
    }
    double billions(const char* metric) const { return values_.at(metric) / 1e9; }
    double percent(const char* metric, const char* of) const {
        return 100 * values_.at(metric) / values_.at(of);
    }
    double ratio(const char* name) const { return values_.at(name); }

  private:
    Values values_;
};

TEST_F(Table1, power4_givesItsPercentages) {
    derive("power4", {{"PM_CYC", 25911},
                      {"PM_INST_CMPL", 15377},
                      {"PM_FPU_ALL", 208},
                      {"PM_FPU_DENORM", 0},
                      {"PM_FPU_FDIV", 100},
                      {"PM_FPU_FMA", 6000},
                      {"PM_FPU_FMOV_FEST", 500},
                      {"PM_FPU_FRSP_FCONV", 300},
                      {"PM_FPU_FSQRT", 100},
                      {"PM_BR_ISSUED", 1287},
                      {"PM_BR_MPRED_CR", 60},
                      {"PM_BR_MPRED_TA", 30},
                      {"PM_INST_FROM_PREF", 0},
                      {"PM_INST_FROM_L1", 4201},
                      {"PM_INST_FROM_L2", 1},
                      {"PM_INST_FROM_L25_L275", 0},
                      {"PM_INST_FROM_L3", 0},
                      {"PM_INST_FROM_L35", 0},
                      {"PM_INST_FROM_MEM", 0},
                      {"PM_ITLB_MISS", 0.008},
                      {"PM_DTLB_MISS", 5.014},
                      {"PM_ST_REF_L1", 2000},
                      {"PM_ST_MISS_L1", 400},
                      {"PM_LD_REF_L1", 3635},
                      {"PM_LD_MISS_L1", 143},
                      {"PM_DATA_FROM_L2", 128},
                      {"PM_DATA_FROM_L25_MOD", 1},
                      {"PM_DATA_FROM_L25_SHR", 0},
                      {"PM_DATA_FROM_L275_MOD", 0},
                      {"PM_DATA_FROM_L275_SHR", 0},
                      {"PM_DATA_FROM_L3", 5},
                      {"PM_DATA_FROM_L35", 2},
                      {"PM_DATA_FROM_MEM", 7}});
    EXPECT_EQ(billions("CYCLES"), 25911);
    EXPECT_NEAR(percent("FLOATING_POINT", "INSTRUCTION"), 46.9, kPrinted);
    EXPECT_NEAR(percent("BRANCH", "INSTRUCTION"), 8.4, kPrinted);
    EXPECT_NEAR(percent("BRANCH_MISP", "INSTRUCTION"), 0.6, kPrinted);
    EXPECT_NEAR(ratio("BRANCH_MISP_RATE"), 7.0, kPrinted);  // section 3.2
    EXPECT_NEAR(billions("INST_ACCESS"), 4202, 1e-3);
    EXPECT_NEAR(percent("INST_HIT_L1$", "INST_ACCESS"), 100, kPrinted);
    EXPECT_NEAR(billions("INST_TLB_MISS"), 0.008, 1e-9);
    EXPECT_NEAR(billions("DATA_TLB_MISS"), 5.014, 1e-9);
    EXPECT_NEAR(billions("DATA_ACCESS"), 5235, 1e-3);
    EXPECT_NEAR(percent("DATA_HIT_L1$", "DATA_ACCESS"), 97.3, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_L2$", "DATA_ACCESS"), 2.5, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_L3$", "DATA_ACCESS"), 0.1, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_MEM", "DATA_ACCESS"), 0.1, kPrinted);
    EXPECT_NEAR(billions("DATA_LOAD_FROM_MEM"), 7, 1e-9);
    EXPECT_NEAR(ratio("L2_LOCALITY"), 99, 0.5);
}

TEST_F(Table1, opteron_givesItsPercentages) {
    derive("opteron", {{"CPU_CLK_UNHALTED", 22090},
                       {"IC_FETCH_STALL", 15499},
                       {"FR_X86_INS", 17678},
                       {"FP_ADD_PIPE", 5000},
                       {"FP_MULT_PIPE", 4000},
                       {"FP_ST_PIPE", 2700},
                       {"FP_FAST_FLAG", 4},
                       {"FR_BR", 967},
                       {"FR_BR_MIS", 14},
                       {"FR_BR_TAKEN", 500},
                       {"FR_BR_TAKEN_MIS", 9},
                       {"IC_FETCH", 6575},
                       {"IC_MISS", 0},
                       {"IC_L2_REFILL", 0},
                       {"IC_SYS_REFILL", 0},
                       {"IC_L1ITLB_MISS_AND_L2ITLB_MISS", 0.002},
                       {"DC_L1_DTLB_MISS_AND_L2_DTLB_MISS", 5.753},
                       {"DC_ACCESS", 7456},
                       {"DC_MISS", 226},
                       {"DC_L2_REFILL_M", 175},
                       {"DC_L2_REFILL_O", 1},
                       {"DC_L2_REFILL_E", 16},
                       {"DC_L2_REFILL_S", 2},
                       {"DC_SYS_REFILL_M", 12},
                       {"DC_SYS_REFILL_O", 0},
                       {"DC_SYS_REFILL_E", 19},
                       {"DC_SYS_REFILL_S", 1}});
    EXPECT_NEAR(percent("IC_FETCH_STALL", "CYCLES"), 70.2, kPrinted);
    EXPECT_NEAR(percent("FLOATING_POINT", "INSTRUCTION"), 66.2, kPrinted);
    EXPECT_NEAR(percent("BRANCH", "INSTRUCTION"), 5.5, kPrinted);
    EXPECT_NEAR(percent("BRANCH_MISP", "INSTRUCTION"), 0.1, kPrinted);
    EXPECT_NEAR(ratio("BRANCH_MISP_RATE"), 1.5, 0.06);  // section 3.2: 1.5 from counts before rounding
    EXPECT_NEAR(percent("INST_HIT_L1$", "INST_ACCESS"), 100, kPrinted);
    EXPECT_NEAR(billions("INST_TLB_MISS"), 0.002, 1e-9);
    EXPECT_NEAR(billions("DATA_TLB_MISS"), 5.753, 1e-9);
    EXPECT_NEAR(percent("DATA_HIT_L1$", "DATA_ACCESS"), 97.0, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_L2$", "DATA_ACCESS"), 2.6, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_MEM", "DATA_ACCESS"), 0.4, kPrinted);
    EXPECT_NEAR(billions("DATA_LOAD_FROM_MEM"), 20, 1e-9);
    EXPECT_NEAR(percent("DATA_STORE_INTO_L2$", "DATA_HIT_L2$"), 90, 0.5);
}

TEST_F(Table1, ultrasparc_givesItsPercentages) {
    derive("ultrasparc3", {{"Cycle_cnt", 38789},
                           {"Dispatch0_IC_miss", 81},
                           {"Dispatch0_mispred", 200},
                           {"Dispatch_rs_mispred", 100},
                           {"Dispatch0_br_target", 100},
                           {"Dispatch0_2nd_br", 100},
                           {"Rstall_IU_use", 3000},
                           {"Rstall_FP_use", 11000},
                           {"Rstall_storeQ", 3000},
                           {"Re_RAW_miss", 1000},
                           {"Re_PC_miss", 500},
                           {"Re_DC_miss", 5000},
                           {"Re_FPU_bypass", 500},
                           {"Instr_cnt", 21197},
                           {"FA_pipe_completion", 5000},
                           {"FM_pipe_completion", 3649},
                           {"IU_Stat_Br_count_taken", 600},
                           {"IU_Stat_Br_miss_taken", 20},
                           {"IU_Stat_Br_count_untaken", 323},
                           {"IU_Stat_Br_miss_untaken", 9},
                           {"IC_ref", 8793},
                           {"IC_miss", 4},
                           {"EC_ic_miss", 1},
                           {"ITLB_miss", 0.004},
                           {"DTLB_miss", 2.991},
                           {"DC_wr", 2679},
                           {"DC_wr_miss", 979},
                           {"DC_rd", 4181},
                           {"DC_rd_miss", 287},
                           {"EC_rd_miss", 11},
                           {"EC_misses", 38},
                           {"EC_miss_local", 56},
                           {"EC_miss_remote", 44}});
    EXPECT_NEAR(percent("STALL", "CYCLES"), 63.4, kPrinted);
    EXPECT_NEAR(percent("FLOATING_POINT", "INSTRUCTION"), 40.8, kPrinted);
    // The table prints 4.3; its own counts, 923 of 21197, are 4.354.
    EXPECT_NEAR(percent("BRANCH", "INSTRUCTION"), 4.354, 1e-3);
    EXPECT_NEAR(percent("BRANCH_MISP", "INSTRUCTION"), 0.1, kPrinted);
    EXPECT_NEAR(100 * billions("BRANCH_MISP") / billions("BRANCH"), 3.1, kPrinted);  // section 3.2
    EXPECT_NEAR(percent("INST_HIT_L1$", "INST_ACCESS"), 100, kPrinted);
    EXPECT_NEAR(billions("INST_TLB_MISS"), 0.004, 1e-9);
    EXPECT_NEAR(billions("DATA_TLB_MISS"), 2.991, 1e-9);
    EXPECT_NEAR(percent("DATA_HIT_L1$", "DATA_ACCESS"), 81.2, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_L2$", "DATA_ACCESS"), 18.2, kPrinted);
    EXPECT_NEAR(percent("DATA_HIT_MEM", "DATA_ACCESS"), 0.5, kPrinted);
    EXPECT_NEAR(billions("DATA_LOAD_FROM_MEM"), 11, 1e-9);
    EXPECT_NEAR(percent("DATA_STORE_INTO_L2$", "DATA_HIT_L2$"), 78, 0.5);
    EXPECT_NEAR(ratio("MEMORY_LOCALITY"), 56, kPrinted);
}

}  // namespace
}  // namespace holos::specs
