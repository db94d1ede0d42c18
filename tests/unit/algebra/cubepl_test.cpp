// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algebra/cubepl/evaluation.h"
#include "base/error.h"

namespace holos::algebra::cubepl {
namespace {

double value(const std::string& program) {
    Budget budget;
    return evaluate(parse(program), {{}, 0, nullptr, {}, &budget});
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

TEST(CubePl, andAndOr_bindAlikeFromTheLeft) {
    EXPECT_EQ(value("{ if (true or true and false) { return 1; }; return 0; }"), 0.0);
    EXPECT_EQ(value("{ if (false and true or true) { return 1; }; return 0; }"), 1.0);
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

TEST(CubePl, texts_areComparedAndSearched) {
    EXPECT_EQ(value(R"({ if ("MPI_Send" =~ /^MPI_(Send|Recv)$/) { return 1; }; return 0; })"), 1.0);
    EXPECT_EQ(value(R"({ if ("MPI_Sendrecv" =~ /^MPI_(Send|Recv)$/) { return 1; }; return 0; })"), 0.0);
    EXPECT_EQ(value(R"({ if ("a/b.c" =~ /\/b\./) { return 1; }; return 0; })"), 1.0);
    EXPECT_EQ(value(R"({ if ("abc" seq "ABC" and not("abc" eq "ABC")) { return 1; }; return 0; })"), 1.0);
    EXPECT_EQ(value(R"({ ${s} = lowercase("AbC"); if (${s} eq "abc") { return 1; }; return 0; })"), 1.0);
    EXPECT_EQ(value(R"({ if (uppercase("AbC") eq "ABC") { return 1; }; return 0; })"), 1.0);
    EXPECT_EQ(value(R"({ if ("say \"x\"\n" =~ /"x"\n/) { return 1; }; return 0; })"), 1.0);
}

TEST(CubePl, environment_isReadAndEmptyWhereNotSet) {
    ::setenv("HOLOS_TEST_CUBEPL", "yes", 1);
    EXPECT_EQ(value(R"({ if (env("HOLOS_TEST_CUBEPL") eq "yes") { return 1; }; return 0; })"), 1.0);
    ::unsetenv("HOLOS_TEST_CUBEPL");
    EXPECT_EQ(value(R"({ if (env("HOLOS_TEST_CUBEPL") eq "") { return 1; }; return 0; })"), 1.0);
}

TEST(CubePl, random_isWithinItsBoundAndRepeatable) {
    const double first = value("random(3)");
    EXPECT_GE(first, 0.0);
    EXPECT_LT(first, 3.0);
    EXPECT_EQ(value("random(3)"), first);
    EXPECT_NE(value("random(3) - random(3)"), 0.0);
}

TEST(CubePl, arguments_areThoseOfTheCall) {
    Budget budget;
    EXPECT_EQ(evaluate(parse("max(arg1, arg2) - arg1"),
                       {.operands = {}, .budget = &budget, .arguments = {2.0, 5.0}}),
              3.0);
}

TEST(CubePl, metricStatements_leaveTheirEffects) {
    Budget budget;
    const Program program = parse(
        R"({ global(a); ${a}[1] = 7; ${b} = 1; cube::metric::set::mpi("value", "VOID");
             cube::metric::prederived::n(i) << metric::x() > 0 >>; cube::metric::postderived::q() <<1>>; return 0; })");
    const Effects effects = initialise(program, {.operands = {}, .budget = &budget});
    EXPECT_TRUE(effects.variables.shared.contains("a"));
    EXPECT_EQ(effects.variables.values.at("a").at(1).number, 7.0);
    ASSERT_EQ(effects.changes.size(), 1U);
    EXPECT_EQ(effects.changes[0].metric, "mpi");
    EXPECT_EQ(effects.changes[0].value, "VOID");
    ASSERT_EQ(program.definitions.size(), 2U);
    EXPECT_EQ(program.definitions[0].name, "n");
    EXPECT_EQ(program.definitions[0].kind, Definition::Kind::PreDerivedInclusive);
    EXPECT_EQ(program.definitions[1].kind, Definition::Kind::PostDerived);
}

TEST(CubePl, references_areCollectedOnce) {
    const Program program = parse(
        "metric::a() + metric::a(i) * metric::context::a(e,i) / metric::fixed::PAPI::X() + metric::a()");
    ASSERT_EQ(program.references.size(), 4U);
    EXPECT_EQ(program.references[0], (Reference{"a", Flavour::AsContext, false, false}));
    EXPECT_EQ(program.references[1], (Reference{"a", Flavour::Inclusive, false}));
    EXPECT_EQ(program.references[2], (Reference{"a", Flavour::Exclusive, false}));
    EXPECT_EQ(program.references[3], (Reference{"PAPI::X", Flavour::AsContext, true}));
    const Program masked = parse("metric::OPS:LOADS:STORES() + metric::imc0::CAS:RD()");
    EXPECT_EQ(masked.references[0].name, "OPS:LOADS:STORES");
    EXPECT_EQ(masked.references[1].name, "imc0::CAS:RD");
    const Program fixed = parse("metric::fixed::a(i) + metric::fixed::a(e,e)");
    EXPECT_EQ(fixed.references[0], (Reference{"a", Flavour::Inclusive, false, false, true}));
    EXPECT_EQ(fixed.references[1], (Reference{"a", Flavour::Exclusive, false, false, false}));
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
    EXPECT_THROW(value("{ ${a}[1000000000] = 1; return 0; }"), Error);
}

/// What an evaluation with a small budget throws; empty for a value.
std::string problemOf(const std::string& program, Budget& budget) {
    try {
        evaluate(parse(program), {.operands = {}, .budget = &budget});
        return {};
    } catch (const Exhausted& error) {
        return error.what();
    }
}

TEST(CubePlBudget, everyOperator_isWork) {
    const std::string text(10'000, 'a');
    for (const std::string& body :
         {std::string("${a} = 1;"), std::string(";"),
          "if (\"" + text + "\" eq \"" + text + "b\") { ${a} = 1; };",
          "if (\"" + text + "\" =~ /b/) { ${a} = 1; };", "${a} = lowercase(\"" + text + "\");"}) {
        Budget budget({.work = 100'000});
        EXPECT_EQ(problemOf("{ while (1) { " + body + " } }", budget), "takes too long")
            << body.substr(0, 40);
    }
}

TEST(CubePlBudget, longTexts_costMoreThanShortOnes) {
    const auto cost = [](std::size_t length, const std::string& operation) {
        Budget budget;
        const std::string text(length, 'a');
        problemOf("{ ${s} = \"" + text + "\"; if (${s} " + operation + ") { return 1; }; return 0; }",
                  budget);
        return budget.spent();
    };
    EXPECT_GT(cost(80'000, "eq \"b\""), cost(8, "eq \"b\"") + 10'000);
    EXPECT_GT(cost(80'000, "=~ /b/"), cost(8, "=~ /b/") + 80'000);
}

TEST(CubePlBudget, patternThatTriesEverything_isGivenUp) {
    Budget budget({.work = 1'000'000});
    const std::string text(40, 'a');
    EXPECT_EQ(
        problemOf("{ ${s} = \"" + text + "\"; if (${s} =~ /^(a|aa)+$b/) { return 1; }; return 0; }", budget),
        "takes too long");
}

TEST(CubePlBudget, memoryOfAnEvaluation_comesBackButItsWorkDoesNot) {
    Budget budget({.work = 2'000'000, .memory = std::size_t{1} << 20});
    const std::string program = "{ ${a}[10000] = 1; return 0; }";
    EXPECT_EQ(problemOf("{ ${a}[100000] = 1; return 0; }", budget), "takes too much memory");
    std::size_t evaluations = 0;
    while (problemOf(program, budget).empty()) ++evaluations;
    EXPECT_GT(evaluations, 20) << "memory did not come back";
    EXPECT_LT(evaluations, 60) << "work came back";
}

TEST(CubePlBudget, textsThatReplaceEachOther_takeTheMemoryOfOne) {
    Budget budget({.memory = 10'000});
    EXPECT_EQ(problemOf("{ ${i} = 0; while (${i} < 100) { ${s} = \"" + std::string(5'000, 'a') +
                            "\"; ${i} = ${i} + 1; } return 0; }",
                        budget),
              "");
}

}  // namespace
}  // namespace holos::algebra::cubepl
