// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/hierarchy.h"

#include <gmock/gmock.h>

namespace holos::specs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Data accesses of an UltraSPARC-III in the manner of the paper's appendix A.2, shortened.
constexpr const char* kAccesses = R"(
compose DATA_ACCESS = DATA_HIT_L1$ + DATA_HIT_L2$
compose DATA_HIT_L1$ = DATA_STORE_INTO_L1$ + DATA_LOAD_FROM_L1$
compute DATA_STORE_INTO_L1$ = DC_wr - DC_wr_miss
compute DATA_LOAD_FROM_L1$ = DC_rd - DC_rd_miss
compose DATA_HIT_L2$ = EC_write_hit_RTO + EC_WRITE_HIT_ETC
measure DATA_HIT_L2$ = DC_wr_miss
)";

struct Case {
    Hierarchy hierarchy;
    const HierarchyNode& operator[](const std::string& name) const {
        const auto found = hierarchy.find(name);
        if (!found) throw std::out_of_range("no node " + name);
        return hierarchy.nodes[*found];
    }
    std::string parentOf(const std::string& name) const {
        const auto parent = (*this)[name].parent;
        return parent ? hierarchy.nodes[*parent].name : "";
    }
};

Case resolved(const std::string& text, const std::vector<std::string>& measured) {
    return {resolve(parse(text, "test.spec"), measured)};
}

TEST(Hierarchy, directMeasurement_winsOverFormula) {
    const Case c = resolved("compose A = B + C\n", {"A", "B", "C"});
    EXPECT_EQ(c["A"].state, State::Measured);
    EXPECT_EQ(c["A"].event, "A");
    EXPECT_EQ(c.parentOf("B"), "A");
}

TEST(Hierarchy, alias_winsOverFormula) {
    const Case c = resolved("compose A = B + C\nmeasure A = e\n", {"e", "B"});
    EXPECT_EQ(c["A"].state, State::Measured);
    EXPECT_EQ(c["A"].event, "e");
    EXPECT_FALSE(c["A"].incomplete);
}

TEST(Hierarchy, firstMeasuredAlternative_counts) {
    EXPECT_EQ(resolved("measure A = e1\nmeasure A = e2\n", {"e2"})["A"].event, "e2");
    EXPECT_EQ(resolved("measure A = e1\nmeasure A = e2\n", {"e2", "e1"})["A"].event, "e1");
}

TEST(Hierarchy, aliasedTerm_isFound) {
    const Case c = resolved("compose T = L + M\nmeasure L = PAPI_L\n", {"PAPI_L", "M"});
    EXPECT_EQ(c["T"].state, State::Composed);
    EXPECT_FALSE(c["T"].incomplete);
    EXPECT_FALSE(c.hierarchy.find("PAPI_L"));
}

TEST(Hierarchy, missingTerm_makesIncomplete) {
    const Case c = resolved("compose A = B + C\ncompose B = D + E\n", {"D"});
    EXPECT_EQ(c["B"].state, State::Composed);
    EXPECT_TRUE(c["B"].incomplete);
    EXPECT_TRUE(c["A"].incomplete);
    EXPECT_THAT(c["A"].formula.terms, ElementsAre("B"));
    EXPECT_EQ(c["C"].state, State::Unavailable);
}

TEST(Hierarchy, incompleteChildOfMeasured_leavesParentComplete) {
    const Case c = resolved("compose A = B\ncompose B = D + E\n", {"A", "D"});
    EXPECT_FALSE(c["A"].incomplete);
    EXPECT_TRUE(c["B"].incomplete);
}

TEST(Hierarchy, noTerm_isUnavailable) {
    const Case c = resolved("compose A = B + C\n", {});
    EXPECT_EQ(c["A"].state, State::Unavailable);
    EXPECT_FALSE(c["A"].incomplete);
}

TEST(Hierarchy, computation_needsAllTerms) {
    EXPECT_EQ(resolved("compute A = B - C\n", {"B", "C"})["A"].state, State::Computed);
    EXPECT_EQ(resolved("compute A = B - C\n", {"B"})["A"].state, State::Unavailable);
}

TEST(Hierarchy, computationFromIncompleteTerm_isUnavailable) {
    EXPECT_EQ(resolved("compute A = B - x\ncompose B = C + D\n", {"C", "x"})["A"].state, State::Unavailable);
}

TEST(Hierarchy, termOfComputation_isARoot) {
    const Case c = resolved("compute A = B - C\n", {"B", "C"});
    EXPECT_EQ(c.parentOf("A"), "");
    EXPECT_EQ(c.parentOf("B"), "");
}

TEST(Hierarchy, unmentionedMeasurement_isARoot) {
    const Case c = resolved("compose A = B\n", {"other", "B"});
    EXPECT_EQ(c["other"].state, State::Measured);
    EXPECT_EQ(c.parentOf("other"), "");
    EXPECT_EQ(c.hierarchy.nodes.back().name, "other");
}

TEST(Hierarchy, metricOfSeveralCompositions_staysBelowTheFirst) {
    const Case c = resolved("compose A = X + B\ncompose C = X + D\n", {"X", "B", "D"});
    EXPECT_EQ(c.parentOf("X"), "A");
    EXPECT_THAT(c["C"].formula.terms, ElementsAre("X", "D"));
}

TEST(Hierarchy, childBeforeParentInFile_isLinked) {
    const Case c = resolved("compose B = D + E\ncompose A = B + C\n", {"C", "D", "E"});
    EXPECT_EQ(c.parentOf("B"), "A");
    const auto parent = c.hierarchy.find("A");
    EXPECT_LT(*parent, *c.hierarchy.find("B"));
}

TEST(Hierarchy, aliasOfComposition_isComposedOfIt) {
    const char* text =
        "measure RECIRCULATE = PAPI_MEM_SCY\ncompose PAPI_MEM_SCY = PAPI_MEM_RCY + PAPI_MEM_WCY\n";
    const Case c = resolved(text, {"PAPI_MEM_RCY", "PAPI_MEM_WCY"});
    EXPECT_EQ(c["RECIRCULATE"].state, State::Composed);
    EXPECT_EQ(c.parentOf("PAPI_MEM_SCY"), "RECIRCULATE");
    const Case direct = resolved(text, {"PAPI_MEM_SCY"});
    EXPECT_EQ(direct["PAPI_MEM_SCY"].state, State::Measured);
    EXPECT_THAT(direct["RECIRCULATE"].formula.terms, ElementsAre("PAPI_MEM_SCY"));
}

TEST(Hierarchy, paperExample_firstMeasurementSet) {
    const Case c = resolved(kAccesses, {"DC_wr", "DC_wr_miss"});
    EXPECT_EQ(c["DATA_STORE_INTO_L1$"].state, State::Computed);
    EXPECT_EQ(c["DATA_LOAD_FROM_L1$"].state, State::Unavailable);
    EXPECT_TRUE(c["DATA_HIT_L1$"].incomplete);
    EXPECT_EQ(c["DATA_HIT_L2$"].state, State::Measured);
    EXPECT_TRUE(c["DATA_ACCESS"].incomplete);
    EXPECT_EQ(c.parentOf("DC_wr"), "");
}

TEST(Hierarchy, paperExample_bothMeasurementSetsComplete) {
    const Case c = resolved(kAccesses, {"DC_wr", "DC_wr_miss", "DC_rd", "DC_rd_miss"});
    EXPECT_FALSE(c["DATA_HIT_L1$"].incomplete);
    EXPECT_FALSE(c["DATA_ACCESS"].incomplete);
}

TEST(Hierarchy, formulaOfRepresentedEvent_namesItsMetric) {
    const Case c = resolved(kAccesses, {"DC_wr", "DC_wr_miss"});
    EXPECT_THAT(c["DATA_STORE_INTO_L1$"].formula.terms, ElementsAre("DC_wr", "DATA_HIT_L2$"));
    EXPECT_FALSE(c.hierarchy.find("DC_wr_miss"));
}

TEST(Hierarchy, evaluationOrder_hasTermsFirst) {
    const Case c =
        resolved("compose A = B + x\ncompose B = C + y\ncompute C = z - w\n", {"x", "y", "z", "w"});
    std::vector<std::string> names;
    for (const std::size_t i : c.hierarchy.evaluationOrder) names.push_back(c.hierarchy.nodes[i].name);
    EXPECT_THAT(names, ElementsAre("C", "B", "A"));
}

TEST(Hierarchy, unit_comesFromTheFirstTermUnlessGiven) {
    const Case c =
        resolved("compose A = B + x\ncompute R = B / x\nunit B = ns\ndescribe A \"text\"\n", {"B", "x"});
    EXPECT_EQ(c["A"].unit, "ns");
    EXPECT_EQ(c["R"].unit, "");
    EXPECT_EQ(c["A"].description, "text");
}

TEST(Hierarchy, emptySpecification_listsMeasurements) {
    const Case c = resolved("", {"a", "b", "a"});
    ASSERT_EQ(c.hierarchy.nodes.size(), 2u);
    EXPECT_THAT(c.hierarchy.evaluationOrder, IsEmpty());
}

}  // namespace
}  // namespace holos::specs
