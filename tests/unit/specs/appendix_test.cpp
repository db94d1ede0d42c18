// SPDX-License-Identifier: BSD-3-Clause
// The listings of appendix A.2 of the KOJAK paper, as printed (the text version's lost underscores restored).
#include <gmock/gmock.h>

#include "metric-specs/hierarchy.h"
#include "tests/unit/specs/derived_values.h"

namespace holos::specs {
namespace {

Specification listing(const std::string& name) {
    return load(std::string(HOLOS_APPENDIX_DIR) + '/' + name + ".spec");
}

struct Listing {
    const char* name;
    std::size_t aliases;
    std::size_t compositions;
    std::size_t computations;
};

class Appendix : public ::testing::TestWithParam<Listing> {};

TEST_P(Appendix, listing_isReadCompletely) {
    const Specification spec = listing(GetParam().name);
    std::size_t compositions = 0;
    for (const Definition& each : spec.definitions)
        compositions += each.kind == Definition::Kind::Compose ? 1 : 0;
    EXPECT_EQ(spec.aliases.size(), GetParam().aliases);
    EXPECT_EQ(compositions, GetParam().compositions);
    EXPECT_EQ(spec.definitions.size() - compositions, GetParam().computations);
}

INSTANTIATE_TEST_SUITE_P(Listings, Appendix,
                         ::testing::Values(Listing{"generic", 0, 15, 0}, Listing{"papi", 34, 17, 6},
                                           Listing{"power4", 5, 24, 3}, Listing{"opteron", 4, 26, 10},
                                           Listing{"ultrasparc", 4, 30, 14}),
                         [](const auto& each) { return std::string(each.param.name); });

/// 100 stores, of which 10 miss the first cache: 90 hit it, and the second is told about 10.
TEST(Ultrasparc, setDcwWithCycles_givesThePartialHierarchy) {
    const auto values =
        shownValues(listing("ultrasparc"), {{"DC_wr", 100}, {"DC_wr_miss", 10}, {"Cycle_cnt", 5000}});
    const std::map<std::string, double> expected{{"CYCLES", 5000},      {"~DATA_ACCESS", 100},
                                                 {"~DATA_HIT_L1$", 90}, {"DATA_STORE_INTO_L1$", 90},
                                                 {"~DATA_HIT_L2$", 10}, {"DATA_STORE_INTO_L2$", 10},
                                                 {"DC_wr", 100}};
    EXPECT_EQ(values, expected);
}

/// Set OPTERON_DC1 of table 2: accesses measured, first-level hits computed.
TEST(Opteron, setDc1_computesHits) {
    const auto values = shownValues(listing("opteron"), {{"DC_ACCESS", 50}, {"DC_MISS", 8}});
    EXPECT_EQ(values.at("DATA_ACCESS"), 50);
    EXPECT_EQ(values.at("DATA_HIT_L1$"), 42);
    EXPECT_EQ(values.at("DC_MISS"), 8);
}

/// Sets OPTERON_DC2 and OPTERON_DC3 complete what each leaves open.
TEST(Opteron, setsDc2AndDc3_completeLoadsAndStores) {
    std::map<std::string, double> measured{
        {"DC_L2_REFILL_M", 1}, {"DC_L2_REFILL_O", 2}, {"DC_L2_REFILL_E", 3}, {"DC_L2_REFILL_S", 4}};
    auto values = shownValues(listing("opteron"), measured);
    EXPECT_EQ(values.at("DATA_HIT_L2$"), 10);
    EXPECT_EQ(values.at("~DATA_ACCESS"), 10);
    measured.insert(
        {{"DC_SYS_REFILL_M", 10}, {"DC_SYS_REFILL_O", 20}, {"DC_SYS_REFILL_E", 30}, {"DC_SYS_REFILL_S", 40}});
    values = shownValues(listing("opteron"), measured);
    EXPECT_EQ(values.at("DATA_HIT_MEM"), 100);
    EXPECT_EQ(values.at("~DATA_ACCESS"), 110);
    EXPECT_FALSE(values.contains("DATA_HIT_L1$"));
}

/// Set POWER4_BRT of table 4.
TEST(Power4, setBrt_computesPredictedBranches) {
    const auto values = shownValues(
        listing("power4"),
        {{"PM_INST_CMPL", 1000}, {"PM_BR_ISSUED", 100}, {"PM_BR_MPRED_CR", 5}, {"PM_BR_MPRED_TA", 2}});
    EXPECT_EQ(values.at("INSTRUCTION"), 1000);
    EXPECT_EQ(values.at("BRANCH_PRED"), 93);
    EXPECT_EQ(values.at("BRANCH_MISP"), 7);
    EXPECT_EQ(values.at("BRANCH"), 100);
}

}  // namespace
}  // namespace holos::specs
