// SPDX-License-Identifier: BSD-3-Clause
// Which calls of compiled functions may come after which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/tracing/compiled_calls.h"
#include "tests/unit/tracing/random_function.h"

namespace holos::testing {
namespace {

using ::testing::IsSubsetOf;
using ::testing::Not;

using CallOrderOf = CompiledFunctions;

TEST_P(CallOrderOf, aSequence_isThatOfTheSource) {
    EXPECT_EQ(compiled("int f(void) { a(); b(); c(); return 1; }").pairs(), (Pairs{"ab", "ac", "bc"}));
}

TEST_P(CallOrderOf, aLoop_repeatsWhatIsInside) {
    EXPECT_EQ(compiled("int f(void) { a(); while (test()) { b(); c(); } d(); return 1; }").pairs(),
              (Pairs{"ab", "ac", "ad", "bb", "bc", "bd", "cb", "cc", "cd"}));
}

TEST_P(CallOrderOf, alternatives_doNotFollowEachOther) {
    EXPECT_EQ(compiled("int f(void) { if (test()) { a(); } else { b(); } c(); return 1; }").pairs(),
              (Pairs{"ac", "bc"}));
}

TEST_P(CallOrderOf, anExceptionsHandler_isReachedFromWhatThrows) {
    const Pairs found =
        compiled("int f(void) { a(); try { b(); } catch (...) { c(); } d(); return 1; }", true).pairs();
    EXPECT_THAT((Pairs{"ab", "bc", "bd", "cd", "ad"}), IsSubsetOf(found));
    EXPECT_THAT((Pairs{"ba", "aa", "da", "dd", "ca"}), ::testing::Each(Not(::testing::AnyOfArray(found))));
    const Pairs again =
        compiled("int f(void) { for (;;) try { a(); return 1; } catch (int) { b(); } }", true).pairs();
    EXPECT_THAT((Pairs{"aa", "ab", "ba", "bb"}), IsSubsetOf(again));
}

TEST_P(CallOrderOf, aJumpBackOverCalls_mayReachWhatIsBehindItsTarget) {
    const Pairs found = compiled(
                            "#include <setjmp.h>\njmp_buf place; int f(void) { a(); if (setjmp(place) != 0) "
                            "b(); c(); d(); return 1; }")
                            .pairs();
    EXPECT_THAT((Pairs{"ab", "cb", "db", "dc", "cc"}), IsSubsetOf(found));
    EXPECT_EQ(found.count("ba"), 0);
}

TEST_P(CallOrderOf, computedJumps_mayLeadAnywhere) {
    const Pairs found = compiled(
                            "int f(void) { static void* const to[] = {&&one, &&two, &&end}; goto *to[test()];"
                            " one: a(); goto *to[test()]; two: b(); goto *to[test()]; end: c(); return 1; }")
                            .pairs();
    EXPECT_THAT((Pairs{"aa", "ab", "ac", "ba", "bb", "bc"}), IsSubsetOf(found));
}

TEST_P(CallOrderOf, whatRunsRarely_belongsToTheFunction) {
    const Pairs found =
        compiled("void d(void) __attribute__((cold)); int f(void) { a(); if (test()) d(); b(); return 1; }")
            .pairs();
    EXPECT_EQ(found, (Pairs{"ad", "ab", "db"}));
}

TEST_P(CallOrderOf, aFunctionThatWasInlined_isLeftAndEnteredAgain) {
    if (!isOptimised()) return;  // nothing is inlined
    const std::string exchange =
        "static inline __attribute__((always_inline)) void exchange(void) { a(); while (test()) b(); c(); "
        "}\n";
    auto looped = compiled(exchange + "int f(void) { while (test()) { d(); exchange(); } return 1; }");
    EXPECT_EQ(looped.pairs(1).count("ca"), 0);
    EXPECT_EQ(looped.pairs(1).count("aa"), 0);
    EXPECT_THAT((Pairs{"ab", "ac", "bb", "bc"}), IsSubsetOf(looped.pairs(1)));
    EXPECT_THAT((Pairs{"ca", "aa", "cd", "da", "dd", "dc"}), IsSubsetOf(looped.pairs(0)));
    const Pairs once = compiled(exchange + "int f(void) { exchange(); d(); return 1; }").pairs(0);
    EXPECT_EQ(once, (Pairs{"ad", "bd", "cd"}));
}

INSTANTIATE_TEST_SUITE_P(Compilers, CallOrderOf,
                         ::testing::Values("gcc -g -O0", "gcc -g -O2", "clang -g -O0", "clang -g -O2",
                                           "gcc -g -O2 -fno-plt"),
                         [](const auto& one) { return nameOfCommand(one.param); });

TEST_P(CallOrderOf, randomFunctions_isThatOfTheSource) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const RandomFunction function(seed);
        EXPECT_EQ(compiled(function.source()).pairs(), function.pairs()) << function.source();
    }
}

using CallOrderOfAssembly = AssembledFunctions;

TEST_F(CallOrderOfAssembly, withoutUnwindTables_isNotKnown) {
    auto code = assembled("call a@plt\ncall b@plt\nret\n", false);
    EXPECT_EQ(code.size(), 2);
    EXPECT_FALSE(code.areKnown());
}

TEST_F(CallOrderOfAssembly, withAJumpIntoAnInstruction_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\ntest %eax,%eax\nje 1f+1\n1: mov $0x12345678,%eax\ncall b@plt\nret\n")
                     .areKnown());
}

TEST_F(CallOrderOfAssembly, withWhatIsNoCode_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\njmp 1f\n.byte 0x06,0x06\n1: call b@plt\nret\n").areKnown());
}

TEST_F(CallOrderOfAssembly, withCodeThatNothingLeadsTo_mayReachItAfterAnyCall) {
    EXPECT_EQ(assembled("call a@plt\ncall b@plt\nret\ncall c@plt\nret\n").pairs(),
              (Pairs{"ab", "ac", "bc", "cc"}));
}

TEST_F(CallOrderOfAssembly, ofAVeryLongFunction_isNotKnown) {
    EXPECT_FALSE(assembled("call a@plt\n.rept 300000\nnop\n.endr\ncall b@plt\nret\n").areKnown());
}

}  // namespace
}  // namespace holos::testing
