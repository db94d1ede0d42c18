// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algebra/cubepl/evaluation.h"
#include "metric-specs/error.h"

namespace holos::algebra::cubepl {
namespace {

double value(const std::string& program) {
    Budget budget;
    return evaluate(parse(program), {{}, 0, nullptr, nullptr, &budget});
}

TEST(CubePl, operators_bindAsInCube) {
    EXPECT_EQ(value("1 + 2 * 3"), 7.0);
    EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
    EXPECT_EQ(value("2^3^2"), 64.0);  // left-associative
    EXPECT_EQ(value("-2^2"), -4.0);
    EXPECT_EQ(value("10 - 4 - 3"), 3.0);
    EXPECT_EQ(value("|2 - 5| + 1"), 4.0);
    EXPECT_EQ(value("2 * -3"), -6.0);
    EXPECT_EQ(value("8 / 4 / 2"), 1.0);
}

TEST(CubePl, division_followsCubesRule) {
    EXPECT_EQ(value("0 / 5"), 0.0);
    EXPECT_EQ(value("0 / 0"), 0.0);
    EXPECT_TRUE(std::isnan(value("1 / 0")));
}

TEST(CubePl, functions_areKnown) {
    EXPECT_EQ(value("sqrt(16) + abs(-2) + sgn(-3)"), 5.0);
    EXPECT_EQ(value("pos(-2) + pos(3) + neg(-2) + neg(3)"), 1.0);
    EXPECT_EQ(value("floor(1.7) + ceil(1.2)"), 3.0);
    EXPECT_EQ(value("min(2, 3) + max(2, 3)"), 5.0);
    EXPECT_DOUBLE_EQ(value("log(exp(2))"), 2.0);
}

TEST(CubePl, statements_run) {
    EXPECT_EQ(value("{ return 3; }"), 3.0);
    EXPECT_EQ(value("{ ${a} = 2; ${b} = ${a} * 3; return ${b}; }"), 6.0);
    EXPECT_EQ(value("{ ${a}[3] = 2; return ${a}[3] + ${a}[0] + sizeof(a) + defined(b); }"), 6.0);
    EXPECT_EQ(value("{ if (1 > 2) { return 1; } elseif (2 >= 2) { return 2; } else { return 3; } }"), 2.0);
    EXPECT_EQ(value("{ if (not(1 == 1) or 1 != 1) { return 1; } else { return 3; } }"), 3.0);
    EXPECT_EQ(value("{ ${s} = \"abc\"; if (${s} eq \"abc\" and true) { return 1; }; return 0; }"), 1.0);
    EXPECT_EQ(value("{ ${i} = 0; ${n} = 0; while (${i} < 4) { ${i} = ${i} + 1; ${n} = ${n} + ${i}; }; return "
                    "${n}; }"),
              10.0);
    EXPECT_EQ(value("{ // a comment\n return 1; }"), 1.0);
}

TEST(CubePl, references_areCollectedOnce) {
    const Program program = parse(
        "metric::a() + metric::a(i) * metric::context::a(e,i) / metric::fixed::PAPI::X() + metric::a()");
    ASSERT_EQ(program.references.size(), 4U);
    EXPECT_EQ(program.references[0], (Reference{"a", Flavour::AsContext, false}));
    EXPECT_EQ(program.references[1], (Reference{"a", Flavour::Inclusive, false}));
    EXPECT_EQ(program.references[2], (Reference{"a", Flavour::Exclusive, false}));
    EXPECT_EQ(program.references[3], (Reference{"PAPI::X", Flavour::AsContext, true}));
}

TEST(CubePl, wrongPrograms_nameTheColumn) {
    for (const char* text : {"", "1 +", "(1", "1 2", "metric::a", "metric::a(x)", "foo(1)", "{ return 1; ",
                             "${a", "1 $ 2", "1.2.3", "min(1)", "{ 5; }", "\"open"}) {
        try {
            parse(text);
            ADD_FAILURE() << text << " was accepted";
        } catch (const Error& error) {
            EXPECT_TRUE(error.place().column.has_value()) << text;
        }
    }
}

TEST(CubePl, hostilePrograms_areRefused) {
    EXPECT_THROW(parse(std::string(100'000, '(')), Error);
    EXPECT_THROW(parse(std::string(100'000, '|')), Error);
    std::string blocks, sum = "1";
    for (int depth = 0; depth < 20'000; ++depth) blocks += "{ if (1) ";
    EXPECT_THROW(parse(blocks), Error);
    for (int terms = 0; terms < 100'000; ++terms) sum += "+1";
    EXPECT_THROW(parse(sum), Error);
    EXPECT_THROW(value("{ while (1) { ${a} = 1; } }"), Error);
    EXPECT_THROW(value("{ ${a}[1000000000] = 1; return 0; }"), Error);
}

}  // namespace
}  // namespace holos::algebra::cubepl
