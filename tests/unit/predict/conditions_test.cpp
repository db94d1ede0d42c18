// SPDX-License-Identifier: BSD-3-Clause
// How conditions are written.
#include <gmock/gmock.h>

#include "analyzer/predict/conditions.h"
#include "base/error.h"

namespace holos::testing {
namespace {

using analyzer::predict::Condition;
using analyzer::predict::parseCondition;
using ::testing::HasSubstr;

TEST(Condition, ofEachForm_isUnderstood) {
    EXPECT_EQ(parseCondition("network=ideal").kind, Condition::Kind::IdealNetwork);
    EXPECT_EQ(parseCondition("threads balanced").kind, Condition::Kind::ThreadsBalanced);
    EXPECT_EQ(parseCondition("joined threads balanced").kind, Condition::Kind::JoinedThreadsBalanced);
    EXPECT_EQ(parseCondition("limit solve=2s").kind, Condition::Kind::Limit);
    EXPECT_EQ(parseCondition(" locks free ").kind, Condition::Kind::LocksFree);
    EXPECT_EQ(parseCondition("balance main/solve").name, "main/solve");
    EXPECT_EQ(parseCondition("remove  solve").name, "solve");
}

TEST(Condition, withUnits_isInSecondsAndBytes) {
    EXPECT_DOUBLE_EQ(parseCondition("latency=2us").value, 2e-6);
    EXPECT_DOUBLE_EQ(parseCondition("latency=0").value, 0);
    EXPECT_DOUBLE_EQ(parseCondition("latency=1.5 ms").value, 1.5e-3);
    EXPECT_DOUBLE_EQ(parseCondition("limit solve=250ms").value, 0.25);
    EXPECT_DOUBLE_EQ(parseCondition("limit solve=0").value, 0);
    EXPECT_DOUBLE_EQ(parseCondition("bandwidth=10G").value, 1e10);
    EXPECT_DOUBLE_EQ(parseCondition("bandwidth=500MB/s").value, 5e8);
    EXPECT_DOUBLE_EQ(parseCondition("eager=64K").value, 65536);
}

/// Names of C++ have signs of equality, too.
TEST(Condition, withSignsInTheName_endsAtTheLastOne) {
    const Condition condition = parseCondition("speedup Matrix::operator=(Matrix const&)=2.5");
    EXPECT_EQ(condition.name, "Matrix::operator=(Matrix const&)");
    EXPECT_DOUBLE_EQ(condition.value, 2.5);
    EXPECT_EQ(parseCondition("cpu ratio node3=0.8").name, "node3");
}

std::string complaint(const char* text) {
    try {
        parseCondition(text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Condition, thatIsWrong_isExplained) {
    EXPECT_THAT(complaint("balanse solve"), HasSubstr("did you mean 'balance'?"));
    EXPECT_THAT(complaint("balance "), HasSubstr("nothing is known by that name"));
    EXPECT_THAT(complaint("speedup solve"), HasSubstr("the value is missing; write speedup CALLPATH=2"));
    EXPECT_THAT(complaint("speedup solve=0"), HasSubstr("expected a number above 0"));
    EXPECT_THAT(complaint("speedup =2"), HasSubstr("the name is missing"));
    EXPECT_THAT(complaint("latency=2 hours"), HasSubstr("expected a time"));
    EXPECT_THAT(complaint("latency=2"), HasSubstr("expected a time"));
    EXPECT_THAT(complaint("limit solve=2"), HasSubstr("expected a time"));
    EXPECT_THAT(complaint("limit solve"), HasSubstr("write limit CALLPATH=2s"));
    EXPECT_THAT(complaint("bandwidth=-1"), HasSubstr("expected bytes per second"));
    EXPECT_THAT(complaint("eager=many"), HasSubstr("largest message"));
    EXPECT_THAT(complaint(""), HasSubstr("nothing is known"));
}

}  // namespace
}  // namespace holos::testing
