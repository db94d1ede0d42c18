// SPDX-License-Identifier: BSD-3-Clause
// What the language has beyond the paper's four definitions.
#include "metric-specs/hierarchy.h"
#include "tests/unit/specs/problems_of.h"

namespace holos::specs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::problemOf;

HierarchyNode nodeOf(const std::string& text, const std::string& name,
                     const std::vector<std::string>& measured, std::optional<double> hertz = std::nullopt) {
    const Hierarchy hierarchy = resolve(parse(text, "test.spec"), measured, hertz);
    return hierarchy.nodes.at(hierarchy.find(name).value());
}

TEST(Language, backslash_continuesTheLine) {
    const Specification spec =
        parse("aggroup A = e1 \\\n  e2 \\  # more\n\n  e3\naggroup B = e4\n", "x.spec");
    EXPECT_THAT(spec.set("A").events, ElementsAre("e1", "e2", "e3"));
    EXPECT_THAT(spec.set("B").events, ElementsAre("e4"));
}

TEST(Ratio, quotient_isSplit) {
    const Specification spec = parse("ratio R = 100 * A / ( A + B ) minimum 1000\n", "x.spec");
    const Definition& ratio = spec.definitions.at(0);
    EXPECT_EQ(ratio.kind, Definition::Kind::Ratio);
    EXPECT_THAT(ratio.formula.terms, ElementsAre("A"));
    EXPECT_THAT(ratio.denominator.terms, ElementsAre("A", "B"));
    EXPECT_EQ(ratio.minimum, 1000.0);
}

TEST(Ratio, moreThanOneQuotient_isRefused) {
    for (const char* text :
         {"ratio R = A * B\n", "ratio R = A / B * 100\n", "ratio R = A / B / C\n", "ratio R = A / 100\n"})
        EXPECT_THAT(problemOf(text).message, HasSubstr("expected one quotient")) << text;
}

TEST(Ratio, minimum_isOneNumber) {
    EXPECT_THAT(problemOf("ratio R = A / B minimum\n").message, HasSubstr("the smallest denominator"));
    EXPECT_THAT(problemOf("ratio R = A / B minimum x\n").message, HasSubstr("a number larger than 0"));
    EXPECT_THAT(problemOf("ratio R = A / B minimum 1 2\n").message, HasSubstr("end of the line"));
}

TEST(Ratio, needsAllTermsComplete) {
    const char* text = "ratio R = S / C\ncompose S = x + y\n";
    EXPECT_EQ(nodeOf(text, "R", {"x", "y", "C"}).state, State::Ratio);
    EXPECT_EQ(nodeOf(text, "R", {"x", "C"}).state, State::Unavailable);
    EXPECT_EQ(nodeOf(text, "R", {"x", "y"}).state, State::Unavailable);
}

TEST(Ratio, isARootBehindTheHierarchiesAndNotEvaluated) {
    const Hierarchy hierarchy = resolve(parse("ratio R = a / b\ncompose S = a + b\n", "x.spec"), {"a", "b"});
    EXPECT_EQ(hierarchy.nodes.back().name, "R");
    EXPECT_FALSE(hierarchy.nodes.back().parent);
    EXPECT_THAT(hierarchy.evaluationOrder, ElementsAre(hierarchy.find("S").value()));
}

TEST(Ratio, asATerm_isRefused) {
    EXPECT_THAT(problemOf("ratio R = A / B\ncompose S = R + C\n").message, HasSubstr("is a ratio"));
    EXPECT_THAT(problemOf("ratio R = A / B\nratio S = R / C\n").message, HasSubstr("is a ratio"));
}

TEST(Seconds, cyclesAreDividedByTheClock) {
    const HierarchyNode node = nodeOf("seconds T = A - B\n", "T", {"A", "B"}, 2e9);
    ASSERT_EQ(node.state, State::Computed);
    EXPECT_EQ(node.unit, "sec");
    const std::vector<double> a{5e9}, b{1e9};
    const std::vector<std::span<const double>> operands{a, b};
    std::vector<double> result(1);
    evaluate(node.formula, operands, result);
    EXPECT_EQ(result[0], 2.0);
}

TEST(Seconds, unknownClock_isUnavailable) {
    EXPECT_EQ(nodeOf("seconds T = A\n", "T", {"A"}).state, State::Unavailable);
    EXPECT_EQ(nodeOf("seconds T = A at 1e6\n", "T", {"A"}).state, State::Computed);
}

TEST(Seconds, placeInATimeOfTheTrace_isKept) {
    EXPECT_EQ(nodeOf("seconds T = A at 1e6 in comp\n", "T", {"A"}).within, "comp");
    EXPECT_EQ(nodeOf("seconds T = A at 1e6\n", "T", {"A"}).within, "");
}

TEST(Seconds, placeThatIsNoTimeOfTheTrace_isReported) {
    for (const char* place : {"visits", "A", ""})
        EXPECT_THAT(problemOf("seconds T = A at 1e6 in " + std::string(place) + "\n").message,
                    HasSubstr("expected a time of the trace, such as 'comp'"))
            << place;
    EXPECT_THAT(problemOf("seconds T = A in comp more\n").message, HasSubstr("expected the end of the line"));
}

TEST(Alternative, firstThatIsComplete_counts) {
    const char* text = "compose X = a + b\nalternative compute X = c - d\nalternative compose X = e\n";
    EXPECT_THAT(nodeOf(text, "X", {"a", "b", "c", "d"}).formula.terms, ElementsAre("a", "b"));
    EXPECT_THAT(nodeOf(text, "X", {"a", "c", "d", "e"}).formula.terms, ElementsAre("c", "d"));
    EXPECT_THAT(nodeOf(text, "X", {"a", "c", "e"}).formula.terms, ElementsAre("e"));
    const HierarchyNode partial = nodeOf(text, "X", {"a", "c"});
    EXPECT_THAT(partial.formula.terms, ElementsAre("a"));
    EXPECT_TRUE(partial.incomplete);
}

TEST(Alternative, termsOfTheChosenComposition_areChildren) {
    const Hierarchy hierarchy =
        resolve(parse("compose X = a + b\nalternative compose X = c + d\n", "x.spec"), {"c", "d"});
    EXPECT_EQ(hierarchy.nodes.at(hierarchy.find("c").value()).parent, hierarchy.find("X"));
}

TEST(Alternative, withoutAFirst_isReported) {
    EXPECT_THAT(problemOf("compose CYCLES = a\nalternative compose CYCLE = b\n").message,
                AllOf(HasSubstr("not defined before"), HasSubstr("did you mean 'CYCLES'?")));
    EXPECT_THAT(problemOf("alternative measure X = b\n").message, HasSubstr("compose, compute"));
    EXPECT_THAT(problemOf("compose X = a\ncompose X = b\n").message, HasSubstr("put 'alternative'"));
}

TEST(Aliases, measurementUnderAnotherName_isTheEvent) {
    const char* text = "alias OLD = NEW NEWER\ncompose X = OLD + y\n";
    const HierarchyNode node = nodeOf(text, "OLD", {"NEWER", "y"});
    EXPECT_EQ(node.state, State::Measured);
    EXPECT_EQ(node.event, "NEWER");
    EXPECT_FALSE(nodeOf(text, "X", {"NEW", "y"}).incomplete);
    EXPECT_FALSE(resolve(parse(text, "x.spec"), {"NEW", "y"}).find("NEW"));
}

TEST(Aliases, ofUnplacedEvent_isShownByTheNameOfTheFile) {
    const HierarchyNode node = nodeOf("alias OLD = NEW\naggroup S = OLD\n", "OLD", {"NEW"});
    EXPECT_EQ(node.event, "NEW");
}

TEST(Aliases, ofTwoEvents_areRefused) {
    EXPECT_THAT(problemOf("alias A = X\nalias B = X\n").message, HasSubstr("already in line 1"));
    EXPECT_THAT(problemOf("alias A = A\n").message, HasSubstr("itself"));
}

TEST(Scopes, areKeptByEvent) {
    const char* text = "scope socket = L3 MEM\nscope core = L2\nalias L3 = l3\naggroup S = L3 L2 L1 MEM\n";
    EXPECT_EQ(nodeOf(text, "L3", {"l3"}).scope, Scope::Socket);
    EXPECT_EQ(nodeOf(text, "L2", {"L2"}).scope, Scope::Core);
    EXPECT_EQ(nodeOf(text, "L1", {"L1"}).scope, Scope::Thread);
    EXPECT_THAT(problemOf("scope sockets = A\n").message, HasSubstr("did you mean 'socket'?"));
}

TEST(Trust, eventsBehindMetrics_areFoundByAllDefinitions) {
    const Specification spec = parse(
        "measure A = a\nratio R = A / B\ncompose B = b + c\nalternative compute B = d - a\n"
        "trust a \"exact\"\ntrust d \"from 100 on\" \"(study)\"\ntrust x.y \"no\"\n"
        "measure X = x.y\n",
        "x.spec");
    EXPECT_THAT(spec.allBehind({"R"}), ElementsAre("A", "B", "R", "a", "b", "c", "d"));
    EXPECT_EQ(spec.trust.at("d"), "from 100 on (study)");
    EXPECT_THAT(spec.allBehind({"c"}), ElementsAre("c"));
}

TEST(Trust, mistakes_areReported) {
    EXPECT_THAT(problemOf("measure A = a\ntrust a\n").message,
                HasSubstr("expected what is known of the event"));
    EXPECT_THAT(problemOf("measure A = a\ntrust b \"right\"\n").message,
                HasSubstr("'b' is no metric, event"));
}

TEST(Findings, conditionsAndMostly_areKept) {
    const Specification spec = parse(
        "compose X = a + b\nratio R = a / b\nfinding BAD = R < 0.5 and a + b >= 1000 mostly X\n"
        "describe BAD \"Bad\" \"why\"\n",
        "x.spec");
    const Finding& finding = spec.findings.at(0);
    ASSERT_EQ(finding.conditions.size(), 2u);
    EXPECT_EQ(finding.conditions[1].relation, Comparison::Relation::GreaterEqual);
    EXPECT_TRUE(finding.conditions[1].holds(1000, 1000));
    EXPECT_FALSE(finding.conditions[0].holds(0.5, 0.5));
    EXPECT_EQ(finding.mostly, "X");
    EXPECT_THAT(spec.descriptions.at("BAD"), ElementsAre("Bad", "why"));
}

TEST(Findings, besidesAndCosts_areKept) {
    const Specification spec = parse(
        "compose X = a + b + c\nseconds T = a\nfinding BAD = a > 2 * b mostly X besides a b costs T\n"
        "describe BAD \"Bad\"\n",
        "x.spec");
    const Finding& finding = spec.findings.at(0);
    EXPECT_EQ(finding.conditions[0].text(), "a > 2 * b");
    EXPECT_EQ(finding.mostly, "X");
    EXPECT_THAT(finding.besides, ElementsAre("a", "b"));
    EXPECT_EQ(finding.costs, "T");
}

TEST(Findings, mistakes_areReported) {
    EXPECT_THAT(problemOf("finding F = a\ndescribe F \"f\"\n").message, HasSubstr("and a limit"));
    EXPECT_THAT(problemOf("finding F = a < 1 mostly b\ndescribe F \"f\"\n").message,
                HasSubstr("no composed metric"));
    const std::string described = "compose b = x + y\ndescribe F \"f\"\n";
    EXPECT_THAT(problemOf(described + "finding F = a < 1 mostly b besides z\n").message,
                HasSubstr("'z' is no term of 'b'"));
    EXPECT_THAT(problemOf(described + "finding F = a < 1 mostly b besides\n").message,
                HasSubstr("names of its terms"));
    EXPECT_THAT(problemOf(described + "finding F = a < 1 mostly b x\n").text, "x");
    EXPECT_THAT(problemOf(described + "finding F = a < 1 costs b\n").message, HasSubstr("unit 'sec'"));
    EXPECT_THAT(problemOf(described + "finding F = a < 1 costs\n").message, HasSubstr("metric of time"));
    EXPECT_THAT(problemOf("finding F = a < 1\n").message, HasSubstr("has no explanation"));
}

TEST(SeveralHierarchies, anEventStandsInEach) {
    const Hierarchy hierarchy =
        resolve(parse("compose A = x + y\ncompose B = x + z\n", "x.spec"), {"x", "y", "z"});
    std::vector<std::pair<std::string, std::string>> places;
    for (const HierarchyNode& node : hierarchy.nodes)
        places.emplace_back(node.name, node.parent ? hierarchy.nodes[*node.parent].name : "");
    EXPECT_THAT(places, ElementsAre(Pair("A", ""), Pair("x", "A"), Pair("y", "A"), Pair("B", ""),
                                    Pair("x", "B"), Pair("z", "B")));
}

}  // namespace
}  // namespace holos::specs
