// SPDX-License-Identifier: BSD-3-Clause
// The statistics of holos counters validate, with numbers computed by hand and those of the theses.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "validation/cases.h"
#include "validation/configuration.h"
#include "validation/kept_validation.h"

namespace holos::validation {
namespace {

Validation machine(const std::string& name) {
    const std::string file = HOLOS_MACHINES_DIRECTORY "/" + name + ".csv";
    std::ifstream in(file);
    return readTable({std::istreambuf_iterator<char>(in), {}}, file);
}

std::vector<Case> casesOf(const Validation& validation, const std::string& event, unsigned processor = 0) {
    for (const Suite& suite : validation.suites)
        if (suite.event == event && suite.processor == processor) return suite.cases;
    throw std::out_of_range(event);
}

/// Exact runs of reported = factor × predicted + bias.
std::vector<Case> line(double factor, double bias) {
    std::vector<Case> cases;
    for (double predicted = 1; predicted <= 1e4; predicted *= 10)
        cases.push_back({predicted, 10, factor * predicted + bias, 0.0});
    return cases;
}

TEST(ValidationStatistics, case_hasMeanAndDeviationOfItsRuns) {
    // Mean 4; squares 4 + 1 + 1 + 4 = 10, divided by 3.
    const Case one = caseOf(4, {2, 3, 5, 6});
    EXPECT_EQ(one.runs, 4u);
    EXPECT_DOUBLE_EQ(one.mean, 4.0);
    EXPECT_DOUBLE_EQ(one.deviation, std::sqrt(10.0 / 3.0));
}

TEST(ValidationStatistics, equalRuns_haveExactlyTheirMeanAndNoDeviation) {
    EXPECT_EQ(caseOf(0.1, {0.1, 0.1, 0.1}), (Case{0.1, 3, 0.1, 0.0}));
    EXPECT_EQ(caseOf(1, {7}), (Case{1, 1, 7.0, 0.0}));
}

TEST(ValidationStatistics, difference_isRelativeToThePrediction) {
    EXPECT_DOUBLE_EQ(relativeDifference({100, 1, 108, 0}), 0.08);
    EXPECT_DOUBLE_EQ(relativeDifference({10, 1, 8, 0}), -0.2);
    EXPECT_EQ(relativeDifference({0, 1, 0, 0}), 0.0);
    EXPECT_EQ(relativeDifference({0, 1, 2, 0}), std::numeric_limits<double>::infinity());
}

TEST(ValidationStatistics, exactCounts_haveNoError) {
    EXPECT_EQ(diagnose(line(1, 0)).error, ErrorClass::None);
}

TEST(ValidationStatistics, constantDifference_isABias) {
    const Diagnosis diagnosis = diagnose(line(1, 7));
    EXPECT_EQ(diagnosis.error, ErrorClass::Bias);
    EXPECT_NEAR(diagnosis.bias, 7.0, 1e-9);
    EXPECT_EQ(diagnosisText(diagnosis), "bias +7");
}

TEST(ValidationStatistics, constantFactor_isMultiplicative) {
    const Diagnosis diagnosis = diagnose(line(3, 0));
    EXPECT_EQ(diagnosis.error, ErrorClass::Multiplicative);
    EXPECT_NEAR(diagnosis.factor, 3.0, 1e-9);
    EXPECT_EQ(diagnosisText(diagnosis), "multiplicative × 3.000");
}

TEST(ValidationStatistics, factorAndBias_areBothFound) {
    const Diagnosis diagnosis = diagnose(line(2, 50));
    EXPECT_EQ(diagnosis.error, ErrorClass::Multiplicative);
    EXPECT_NEAR(diagnosis.factor, 2.0, 1e-6);
    EXPECT_NEAR(diagnosis.bias, 50.0, 1e-6);
}

TEST(ValidationStatistics, largeRegionsThatScatter_areRandom) {
    // 6 % of the prediction from run to run, though right on average.
    EXPECT_EQ(diagnose({{10, 9, 10, 1}, {1000, 9, 1000, 60}}).error, ErrorClass::Random);
    EXPECT_EQ(diagnose({{10, 9, 10, 1}, {1000, 9, 1000, 50}}).error, ErrorClass::None);
}

TEST(ValidationStatistics, noRelation_isUnknown) {
    EXPECT_EQ(diagnose({{1, 9, 1, 0}, {10, 9, 70, 0}, {100, 9, 20, 0}, {1000, 9, 5000, 0}}).error,
              ErrorClass::Unknown);
}

TEST(ValidationStatistics, noCases_isAnError) {
    EXPECT_THROW(diagnose({}), Error);
}

TEST(ValidationStatistics, trusted_isFromTheSmallestSizeThatIsGoodThroughAllLargerOnes) {
    // Bias 7: 70 % of 10, 7 % of 100, 0.7 % of 1000.
    EXPECT_EQ(trustedFrom(line(1, 7), 0.05), 1000.0);
    EXPECT_EQ(trustedFrom(line(1, 7), 0.10), 100.0);
    EXPECT_EQ(trustedFrom(line(3, 0), 0.05), std::nullopt);
    // Good at 1 by chance, bad at 10.
    EXPECT_EQ(trustedFrom({{1, 9, 1, 0}, {10, 9, 20, 0}, {100, 9, 101, 2}}, 0.05), 100.0);
    EXPECT_EQ(trustedFrom({{100, 9, 100, 6}}, 0.05), std::nullopt);  // scatters
}

TEST(ValidationStatistics, tablesOfTheStudy_giveItsFindings) {
    const Validation origin = machine("origin-2000");
    // Translation misses: 3 to 9 % too many. First-level misses: a few too many, 541 % of one and none of
    // 10⁶.
    EXPECT_EQ(diagnose(casesOf(origin, "PAPI_TLB_TL")).error, ErrorClass::Multiplicative);
    EXPECT_EQ(diagnose(casesOf(origin, "PAPI_L1_DCM")).error, ErrorClass::Bias);
    EXPECT_NEAR(relativeDifference(casesOf(origin, "PAPI_L1_DCM").front()), 4.41, 1e-9);
    EXPECT_EQ(trustedFrom(casesOf(origin, "PAPI_L1_DCM", 1), 0.05), 100.0);
    EXPECT_EQ(diagnose(casesOf(origin, "PAPI_L2_DCM")).error, ErrorClass::None);
    EXPECT_EQ(diagnose(casesOf(origin, "PAPI_CA_CLN")).error, ErrorClass::None);
    // Interventions and shared lines: right until the array is larger than the cache.
    const Diagnosis interventions = diagnose(casesOf(origin, "PAPI_CA_ITV"));
    EXPECT_EQ(interventions.error, ErrorClass::Multiplicative);
    EXPECT_EQ(interventions.upTo, 3873.69);
    EXPECT_EQ(diagnosisText(diagnose(casesOf(origin, "PAPI_CA_SHR"))), "none up to 3984");
    const auto trusted = trustedRange(casesOf(origin, "PAPI_CA_SHR"), 0.01);
    ASSERT_TRUE(trusted);
    EXPECT_EQ(trusted->from, 1000.0);
    EXPECT_EQ(trusted->upTo, 4000.0);
    EXPECT_EQ(trustedRange(casesOf(origin, "PAPI_CA_CLN"), 0.05)->upTo, std::nullopt);
    const Diagnosis power3 = diagnose(casesOf(machine("power3"), "PAPI_TLB_TL"));
    EXPECT_EQ(power3.error, ErrorClass::Bias);
    EXPECT_NEAR(power3.bias, 2.08, 0.05);
}

TEST(ValidationStatistics, pageByPadding_isTheLargestRegionThatCostsOneFaultAPair) {
    // Pages of 4: regions of 4 that are aligned cost one fault for each pair, of 8 always two.
    EXPECT_EQ(pageByPadding({{2, 0, 10, 10}, {2, 1, 10, 10}, {4, 0, 10, 11}, {4, 1, 10, 20}, {8, 0, 10, 20}}),
              4u);
    EXPECT_EQ(pageByPadding({{4, 0, 10, 20}}), 0u);
}

TEST(ValidationStatistics, pageByStride_isThePeak) {
    EXPECT_EQ(pageByStride({{1024, 30}, {2048, 60}, {4096, 140}, {8192, 20}}), 4096u);
    EXPECT_EQ(pageByStride({}), 0u);
}

TEST(ValidationStatistics, lineByFalseSharing_isWhereTheDisturbanceEnds) {
    EXPECT_EQ(lineByFalseSharing({{8, 100}, {16, 90}, {32, 95}, {64, 20}, {128, 21}}), 64u);
    EXPECT_EQ(lineByFalseSharing({{8, 100}, {16, 20}, {32, 95}, {64, 20}}), 64u);
    EXPECT_EQ(lineByFalseSharing({{8, 20}, {16, 21}}), 0u);
}

}  // namespace
}  // namespace holos::validation
