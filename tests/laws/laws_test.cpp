// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/flatten.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/scale.h"
#include "metric-specs/specification.h"
#include "tests/laws/random_experiment.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using testing::canonicalValues;
using ::testing::IsEmpty;
using testing::randomExperiment;

/// Three runs with overlapping events; each seed gives other values and call paths.
class Laws : public ::testing::TestWithParam<unsigned> {
  protected:
    const Experiment a = randomExperiment(3 * GetParam(), {{"e0", "e1", "e5"}});
    const Experiment b = randomExperiment(3 * GetParam() + 1, {{"e1", "e2", "e3"}});
    const Experiment c = randomExperiment(3 * GetParam() + 2, {{"e3", "e4"}, 2, 1});
};

/// The structure apart from values, up to order.
std::vector<std::string> canonicalMetrics(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const MetricId id : experiment.metrics.ids()) {
        const auto parent = experiment.metrics.parent(id);
        names.push_back((parent ? experiment.metrics[*parent].uniqueName + '/' : "") +
                        experiment.metrics[id].uniqueName + ' ' + experiment.metrics[id].displayName);
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Ratios have no values of their own: those of the call paths, sorted. Undefined ones count as -1.
std::vector<std::string> canonicalRatios(const Experiment& experiment) {
    std::vector<std::string> texts;
    for (const MetricId id : experiment.metrics.ids()) {
        if (experiment.metrics[id].hasValues()) continue;
        for (const double value : perCallPath(experiment, {id}, Extent::Exclusive))
            texts.push_back(experiment.metrics[id].displayName + ' ' +
                            std::to_string(std::isnan(value) ? -1.0 : value));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::size_t hiddenMetrics(const Experiment& experiment) {
    std::size_t count = 0;
    for (const MetricId id : experiment.metrics.ids()) count += experiment.metrics[id].ghost ? 1 : 0;
    return count;
}

void expectEqual(const Experiment& x, const Experiment& y) {
    EXPECT_EQ(canonicalRatios(x), canonicalRatios(y));
    EXPECT_EQ(canonicalMetrics(x), canonicalMetrics(y));
    EXPECT_EQ(canonicalValues(x), canonicalValues(y));
    EXPECT_EQ(x.callTree.size(), y.callTree.size());
    EXPECT_EQ(x.system.locations.size(), y.system.locations.size());
}

TEST_P(Laws, differenceFromItself_isZero) {
    const Experiment zero = diff(a, a);
    EXPECT_THAT(canonicalValues(zero), IsEmpty());
    EXPECT_EQ(zero.callTree.size(), a.callTree.size());
    EXPECT_EQ(zero.metrics.size() - hiddenMetrics(zero), a.metrics.size());
}

TEST_P(Laws, difference_isAntisymmetric) {
    const Experiment there = diff(a, b);
    const Experiment back = diff(b, a);
    EXPECT_THAT(canonicalValues(mean({there, back})), IsEmpty());
}

TEST_P(Laws, meanOfCopies_isTheOriginal) {
    expectEqual(mean({a}), a);
    expectEqual(mean({a, a}), a);
    expectEqual(mean({a, a, a}), a);
}

TEST_P(Laws, mean_isCommutative) {
    expectEqual(mean({a, b, c}), mean({c, a, b}));
}

TEST_P(Laws, deviationOfCopies_isZero) {
    EXPECT_THAT(canonicalValues(standardDeviation({a, a})), IsEmpty());
    EXPECT_THAT(canonicalValues(standardDeviation({b, b, b})), IsEmpty());
}

TEST_P(Laws, extremesOfCopies_areTheOriginal) {
    EXPECT_EQ(canonicalValues(minimum({a, a})), canonicalValues(a));
    EXPECT_EQ(canonicalValues(maximum({a, a, a})), canonicalValues(a));
}

TEST_P(Laws, extremesAndDeviation_doNotDependOnTheOrder) {
    EXPECT_EQ(canonicalValues(minimum({a, b, c})), canonicalValues(minimum({c, a, b})));
    EXPECT_EQ(canonicalValues(maximum({a, b, c})), canonicalValues(maximum({b, c, a})));
}

/// For measured metrics; a difference of two counters lies anywhere.
TEST_P(Laws, mean_liesBetweenMinimumAndMaximum) {
    const Experiment low = minimum({a, b, c});
    const Experiment middle = mean({a, b, c});
    const Experiment high = maximum({a, b, c});
    for (const char* name : {"time", "mpi", "e0", "e1", "e3"}) {
        const SeverityTable& between = middle.severities.table(*middle.findMetric(name));
        for (const CallPathId path : middle.callTree.ids())
            for (std::size_t at = 0; at < middle.system.locations.size(); ++at) {
                const double value = between.at(path, LocationId(at));
                EXPECT_LE(low.severities.table(*low.findMetric(name)).at(path, LocationId(at)), value)
                    << name;
                EXPECT_GE(high.severities.table(*high.findMetric(name)).at(path, LocationId(at)), value)
                    << name;
            }
    }
}

TEST_P(Laws, mean_isTheScaledSum) {
    Scaling half;
    half.factor = 0.5;
    expectEqual(mean({a, b}), scale(sum({a, b}), half));
}

TEST_P(Laws, difference_undoesTheSum) {
    const Experiment both = sum({a, b});
    const Experiment left = diff(both, b);
    EXPECT_THAT(canonicalValues(diff(left, a)), IsEmpty());
}

TEST_P(Laws, merge_isIdempotent) {
    expectEqual(merge({a}), a);
    expectEqual(merge({a, a}), a);
    expectEqual(merge({a, a, a}), a);
}

TEST_P(Laws, merge_isCommutative) {
    expectEqual(merge({a, b}), merge({b, a}));
    expectEqual(merge({a, b, c}), merge({c, b, a}));
}

TEST_P(Laws, merge_isAssociative) {
    const Experiment ab = merge({a, b});
    const Experiment bc = merge({b, c});
    const Experiment left = merge({ab, c});
    const Experiment right = merge({a, bc});
    const Experiment flat = merge({a, b, c});
    expectEqual(left, flat);
    expectEqual(right, flat);
}

TEST_P(Laws, mergeOfAllEvents_completesTheCompositions) {
    EXPECT_TRUE(a.metrics[*a.findMetric("ALL")].incomplete);
    const Experiment all = merge({a, b, c});
    for (const char* name : {"ALL", "LEFT", "RIGHT", "INNER"})
        EXPECT_FALSE(all.metrics[all.findMetric(name).value()].incomplete) << name;
    EXPECT_TRUE(all.findMetric("DIFFERENCE"));
}

/// Values are exclusive along the call tree and inclusive along the metric tree.
TEST_P(Laws, composition_isTheSumOfItsChildrenEverywhere) {
    const Experiment all = merge({a, b, c});
    for (const MetricId metric : all.metrics.ids()) {
        if (all.metrics[metric].origin != Origin::Composed) continue;
        const SeverityTable& own = all.severities.table(metric);
        for (const CallPathId path : all.callTree.ids())
            for (std::size_t at = 0; at < all.system.locations.size(); ++at) {
                double sum = 0.0;
                for (const MetricId child : all.metrics.children(metric))
                    sum += all.severities.table(child).at(path, LocationId(at));
                EXPECT_DOUBLE_EQ(own.at(path, LocationId(at)), sum) << all.metrics[metric].displayName;
            }
    }
}

/// A total of at least its parts, counted in four runs of two events each, which are merged in any order.
TEST_P(Laws, completedParts_neverExceedTheMeasuredWhole) {
    const auto specification = specs::parse(
        "compose TOTAL = A + B\nmeasure TOTAL = total\ncompose A = e0 + e1\ncompose B = e2 + C\n"
        "compute C = e3 - e4\n",
        "test.spec");
    std::mt19937 random(GetParam());
    const auto number = [&random] { return static_cast<double>(random() % 1000); };
    std::map<std::string, testing::SmallExperiment::Rows> counts;
    for (const char* path : {"main", "main/f", "main/f/g", "main/h"}) {
        std::map<std::string, std::vector<double>> row;
        for (int location = 0; location < 4; ++location) {
            const double e0 = number(), e1 = number(), e2 = number(), e3 = number() + 1000, e4 = number();
            const double total = e0 + e1 + e2 + e3 - e4 + number();
            for (const auto& [name, value] : std::map<std::string, double>{
                     {"e0", e0}, {"e1", e1}, {"e2", e2}, {"e3", e3}, {"e4", e4}, {"total", total}})
                row[name].push_back(value);
        }
        for (const auto& [name, values] : row) counts[name].push_back({path, values});
    }
    std::vector<Experiment> runs;
    for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
             {"total", "e0"}, {"e1", "e2"}, {"e3", "e4"}, {"total", "e1"}}) {
        testing::SmallExperiment run(2, 2);
        run.counter(first, counts[first]).counter(second, counts[second]);
        runs.push_back(derive(run.take(), specification));
    }
    Inputs inOrder(runs.begin(), runs.end());
    const Experiment whole = merge(inOrder);
    EXPECT_EQ(testing::metricTree(whole), "TOTAL(A(e0,e1),B(e2,C)) e3 e4");
    for (const MetricId metric : whole.metrics.ids())
        for (const CallPathId path : whole.callTree.ids())
            for (std::size_t at = 0; at < whole.system.locations.size(); ++at) {
                double parts = 0.0;
                for (const MetricId child : whole.metrics.children(metric))
                    parts += whole.severities.table(child).at(path, LocationId(at));
                EXPECT_LE(parts, whole.severities.table(metric).at(path, LocationId(at)));
            }
    for (int order = 0; order < 5; ++order) {
        std::shuffle(inOrder.begin(), inOrder.end(), random);
        expectEqual(merge(inOrder), whole);
    }
}

TEST_P(Laws, inclusiveRoot_isTheSumOfExclusiveValues) {
    for (const MetricId metric : a.metrics.ids()) {
        const auto inclusive = perCallPath(a, {metric}, Extent::Inclusive);
        const auto exclusive = perCallPath(a, {metric}, Extent::Exclusive);
        for (const CallPathId root : a.callTree.roots()) {
            double sum = 0.0;
            for (const CallPathId path : a.callTree.subtree(root)) sum += exclusive[path.index()];
            EXPECT_EQ(inclusive[root.index()], sum) << a.metrics[metric].displayName;
        }
    }
}

TEST_P(Laws, collapse_commutesWithAggregation) {
    for (const CollapseTo level : {CollapseTo::Processes, CollapseTo::Nodes, CollapseTo::One}) {
        const Experiment fewer = collapse(diff(a, b), level);
        const Experiment all = diff(a, b);
        for (const MetricId metric : all.metrics.ids())
            EXPECT_EQ(perCallPath(fewer, {metric}, Extent::Inclusive),
                      perCallPath(all, {metric}, Extent::Inclusive));
    }
}

TEST_P(Laws, collapse_commutesWithTheSum) {
    const Experiment left = collapse(sum({a}), CollapseTo::Processes);
    const Experiment right = collapse(sum({b}), CollapseTo::Processes);
    expectEqual(collapse(sum({a, b}), CollapseTo::Processes), sum({left, right}));
}

TEST_P(Laws, cutByDepth_keepsInclusiveRoots) {
    for (const std::size_t depth : {1u, 2u, 3u}) {
        const Experiment whole = sum({a});
        const Experiment shorter = cut(sum({a}), {.depth = depth});
        for (const MetricId metric : whole.metrics.ids()) {
            const auto before = perCallPath(whole, {metric}, Extent::Inclusive);
            const auto after = perCallPath(shorter, {metric}, Extent::Inclusive);
            for (std::size_t at = 0; at < whole.callTree.roots().size(); ++at)
                EXPECT_EQ(before[whole.callTree.roots()[at].index()],
                          after[shorter.callTree.roots()[at].index()]);
        }
    }
}

TEST_P(Laws, flatten_keepsTotals) {
    const Experiment flat = flatten(sum({a}));
    for (const MetricId metric : a.metrics.ids())
        EXPECT_EQ(aggregate(flat, {metric}), aggregate(a, {metric}));
}

double total(const Experiment& experiment, const std::string& metric) {
    const SeverityTable& table = experiment.severities.table(experiment.findMetric(metric).value());
    double sum = 0.0;
    for (const CallPathId path : experiment.callTree.ids())
        for (const double value : table.row(path)) sum += value;
    return sum;
}

TEST_P(Laws, totalOfTheMean_isTheMeanOfTotals) {
    EXPECT_DOUBLE_EQ(total(mean({a, b}), "time"), (total(a, "time") + total(b, "time")) / 2);
    EXPECT_DOUBLE_EQ(total(merge({a, b}), "time"), (total(a, "time") + total(b, "time")) / 2);
    EXPECT_DOUBLE_EQ(total(merge({a, b}), "e0"), total(a, "e0"));
}

TEST_P(Laws, writingAndReading_isTheIdentity) {
    const auto file =
        std::filesystem::path(::testing::TempDir()) / ("holos-laws-" + std::to_string(::getpid()) + ".cubex");
    for (const Experiment* each : {&a, &b, &c}) {
        writeCubex(*each, file);
        expectEqual(readCubex(file), *each);
    }
    std::filesystem::remove(file);
}

TEST_P(Laws, derivingAgain_changesNothing) {
    const specs::Specification spec = specs::parse(testing::kRandomSpecification, "random.spec");
    expectEqual(derive(merge({a, b}), spec), merge({a, b}));
}

/// Experiments in which the same regions are called from several lines.
class LawsWithLines : public ::testing::TestWithParam<unsigned> {
  protected:
    static Experiment make(unsigned offset, std::vector<std::string> events) {
        return randomExperiment(3 * GetParam() + offset, {.events = std::move(events), .lines = true});
    }
    static Experiment merged(const Inputs& inputs) { return merge(inputs, nullptr, {.lines = true}); }

    const Experiment a = make(0, {"e0", "e1", "e5"});
    const Experiment b = make(1, {"e1", "e2", "e3"});
    const Experiment c = make(2, {"e3", "e4"});
};

TEST_P(LawsWithLines, copies_pairUpCompletely) {
    EXPECT_THAT(canonicalValues(diff(a, a)), IsEmpty());
    EXPECT_EQ(diff(a, a).callTree.size(), a.callTree.size());
    expectEqual(mean({a, a, a}), a);
    expectEqual(merge({a, a}), a);
    expectEqual(merged({a, a}), a);
}

TEST_P(LawsWithLines, merge_isCommutativeAndAssociative) {
    const Experiment flat = merged({a, b, c});
    expectEqual(merged({c, a, b}), flat);
    expectEqual(merged({b, c, a}), flat);
    const Experiment ab = merged({a, b});
    const Experiment bc = merged({b, c});
    expectEqual(merged({ab, c}), flat);
    expectEqual(merged({a, bc}), flat);
}

/// Lines only tell apart what is alike else, so no call path is lost or added to another one.
TEST_P(LawsWithLines, sumWithoutRegardToLines_keepsTotals) {
    for (const char* metric : {"time", "mpi"})
        EXPECT_EQ(total(sum({a, b, c}), metric), total(a, metric) + total(b, metric) + total(c, metric));
}

TEST_P(LawsWithLines, writingAndReading_keepsLines) {
    const auto file = std::filesystem::path(::testing::TempDir()) /
                      ("holos-lines-" + std::to_string(::getpid()) + ".cubex");
    writeCubex(a, file);
    const Experiment again = readCubex(file);
    std::filesystem::remove(file);
    EXPECT_EQ(diff(a, again, {.lines = true}).callTree.size(), a.callTree.size());
    EXPECT_THAT(canonicalValues(diff(a, again, {.lines = true})), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, LawsWithLines, ::testing::Range(1u, 7u));

/// Whatever sums are rounded to.
TEST_P(Laws, meanOfCopies_isExact) {
    const Experiment any = randomExperiment(GetParam(), {.events = {"e0"}, .fractions = true});
    for (const std::size_t count : {2u, 3u, 7u, 11u}) {
        const Inputs copies(count, any);
        EXPECT_EQ(canonicalValues(mean(copies)), canonicalValues(any)) << count;
        EXPECT_EQ(canonicalValues(merge(copies)), canonicalValues(any)) << count;
    }
    const Experiment five = merge({any, any, any, any, any});
    EXPECT_EQ(canonicalValues(merge({five, any, any})), canonicalValues(any));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Laws, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace holos::algebra
