// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/formula.h"

#include <gmock/gmock.h>

#include <cmath>

#include "metric-specs/specification.h"

namespace holos::specs {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<double>;

/// The value of `compute X = EXPRESSION`, whose terms have the given values in the order of first use.
Values valuesOf(const std::string& expression, const std::vector<Values>& operands, std::size_t count) {
    const Specification spec = parse("compute X = " + expression + "\n", "test.spec");
    const std::vector<std::span<const double>> spans(operands.begin(), operands.end());
    Values result(count, -1.0);
    evaluate(spec.definitions.at(0).formula, spans, result);
    return result;
}

TEST(Formula, sum_addsElementwise) {
    const Formula formula = sumOf({"a", "b", "c"});
    const Values a{1, 2};
    const Values b{10, 20};
    const Values c{100, 200};
    const std::vector<std::span<const double>> operands{a, b, c};
    Values result(2);
    evaluate(formula, operands, result);
    EXPECT_THAT(result, ElementsAre(111, 222));
}

TEST(Formula, missingRow_countsAsZero) {
    EXPECT_THAT(valuesOf("a - b", {{5, 6}, {}}, 2), ElementsAre(5, 6));
}

TEST(Formula, precedence_multipliesFirst) {
    EXPECT_THAT(valuesOf("a + b * 2", {{1}, {3}}, 1), ElementsAre(7));
    EXPECT_THAT(valuesOf("( a + b ) * 2", {{1}, {3}}, 1), ElementsAre(8));
}

TEST(Formula, minusAndDivide_groupFromTheLeft) {
    EXPECT_THAT(valuesOf("a - b - c", {{10}, {3}, {2}}, 1), ElementsAre(5));
    EXPECT_THAT(valuesOf("a / b / c", {{24}, {3}, {2}}, 1), ElementsAre(4));
}

TEST(Formula, leadingSign_negates) {
    EXPECT_THAT(valuesOf("-a + b", {{10}, {3}}, 1), ElementsAre(-7));
    EXPECT_THAT(valuesOf("-(a - b)", {{10}, {3}}, 1), ElementsAre(-7));
}

TEST(Formula, repeatedTerm_isOneOperand) {
    EXPECT_THAT(valuesOf("a * a + a", {{3}}, 1), ElementsAre(12));
}

TEST(Formula, quotient_zeroOverZeroIsZeroOtherwiseUndefined) {
    const Values result = valuesOf("a / b", {{0, 4, 4}, {0, 2, 0}}, 3);
    EXPECT_EQ(result[0], 0.0);
    EXPECT_EQ(result[1], 2.0);
    EXPECT_TRUE(std::isnan(result[2]));
}

TEST(Formula, quotientOfNothing_isWhatTheCallerSays) {
    const Specification spec = parse("compute X = a / b\n", "test.spec");
    const Values zero{0};
    const std::vector<std::span<const double>> operands{zero, zero};
    Values result(1);
    evaluate(spec.definitions.at(0).formula, operands, result, 7.0);
    EXPECT_THAT(result, ElementsAre(7));
}

TEST(Formula, manyElements_crossBlocks) {
    Values a(1000);
    Values b(1000);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<double>(i);
        b[i] = 1.0;
    }
    const Values result = valuesOf("a * 2 - b", {a, b}, 1000);
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], 2.0 * static_cast<double>(i) - 1.0);
}

}  // namespace
}  // namespace holos::specs
