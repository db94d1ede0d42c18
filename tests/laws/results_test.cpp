// SPDX-License-Identifier: BSD-3-Clause
// What holds of the results of every run holds of what operators make of them, as far as they keep it.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/flatten.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/merge.h"
#include "tests/support/lawful.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using testing::brokenLaws;
using ::testing::HasSubstr;
using testing::seconds;
using testing::SmallExperiment;

constexpr int kRanks = 4;

/// Ranks that compute, wait for each other's messages, and are blamed for some of it. `excess`: how much more
/// is said to be above the average than below it.
Experiment randomRun(unsigned seed, double excess = 0) {
    std::mt19937 random(seed);
    const auto some = [&] { return static_cast<double>(random() % 1000) / 100; };
    SmallExperiment::Rows time, computation, messages, waits, delays, imbalance, above, below;
    for (const char* path : {"main", "main/f", "main/f/g", "main/g"}) {
        if (random() % 4 == 0) continue;
        std::vector<double> computes(kRanks), waiting(kRanks), all(kRanks), inMessages(kRanks), more(kRanks),
            less(kRanks), both(kRanks), blamed(kRanks);
        for (double& value : computes) value = some();
        double average = 0;
        for (const double value : computes) average += value / kRanks;
        for (int rank = 0; rank < kRanks; ++rank) {
            waiting[rank] = some();
            inMessages[rank] = waiting[rank] + some();
            all[rank] = computes[rank] + inMessages[rank];
            more[rank] = std::max(0.0, computes[rank] - average);
            less[rank] = std::max(0.0, average - computes[rank]);
            blamed[(rank + 1) % kRanks] = waiting[rank] * static_cast<double>(random() % 10) / 9;
        }
        more[0] += excess;
        for (int rank = 0; rank < kRanks; ++rank) both[rank] = more[rank] + less[rank];
        time.push_back({path, all});
        computation.push_back({path, computes});
        messages.push_back({path, inMessages});
        waits.push_back({path, waiting});
        imbalance.push_back({path, both});
        above.push_back({path, more});
        below.push_back({path, less});
        delays.push_back({path, blamed});
    }
    return SmallExperiment(kRanks, 1)
        .metric(seconds("time"), "", time)
        .metric(seconds("comp"), "time", computation)
        .metric(seconds("mpi_point2point"), "time", messages)
        .metric(seconds("mpi_latesender"), "mpi_point2point", waits)
        .metric(seconds("imbalance"), "", imbalance)
        .metric(seconds("imbalance_above"), "imbalance", above)
        .metric(seconds("imbalance_below"), "imbalance", below)
        .metric(seconds("delay"), "", delays)
        .metric(seconds("delay_latesender_aggregate"), "delay", delays)
        .take();
}

/// As its command writes it.
Experiment made(Experiment result, const std::string& operation, std::size_t inputs) {
    Provenance provenance{operation, "", {}, {}};
    for (std::size_t i = 0; i < inputs; ++i) provenance.inputs.push_back({"input", {}});
    setProvenance(result, provenance);
    return result;
}

class LawsOfResults : public ::testing::TestWithParam<unsigned> {
  protected:
    const Experiment a = randomRun(2 * GetParam());
    const Experiment b = randomRun(2 * GetParam() + 1);
};

TEST_P(LawsOfResults, ofRuns_areKeptByOperators) {
    EXPECT_EQ(brokenLaws(a), "");
    EXPECT_EQ(brokenLaws(made(mean({a, b}), "mean", 2)), "");
    EXPECT_EQ(brokenLaws(made(sum({a, b}), "sum", 2)), "");
    EXPECT_EQ(brokenLaws(made(merge({a, b}), "merge", 2)), "");
    EXPECT_EQ(brokenLaws(made(diff(a, b), "diff", 2)), "");
    EXPECT_EQ(brokenLaws(made(minimum({a, b}), "min", 2)), "");
    EXPECT_EQ(brokenLaws(made(maximum({a, b}), "max", 2)), "");
    EXPECT_EQ(brokenLaws(made(standardDeviation({a, b}), "stddev", 2)), "");
    EXPECT_EQ(brokenLaws(made(flatten(randomRun(2 * GetParam())), "flatten", 1)), "");
    EXPECT_EQ(brokenLaws(made(collapse(randomRun(2 * GetParam()), CollapseTo::One), "collapse", 1)), "");
    EXPECT_EQ(brokenLaws(made(cut(randomRun(2 * GetParam()), {.depth = 2}), "cut", 1)), "");
}

INSTANTIATE_TEST_SUITE_P(Random, LawsOfResults, ::testing::Range(0U, 25U));

TEST(LawsOfResultsOfOperators, ofARunThatBreaksThem_areBrokenInItsMean) {
    const Experiment broken = randomRun(1, 5), sound = randomRun(2);
    EXPECT_THAT(brokenLaws(broken), HasSubstr("computation above the average is"));
    EXPECT_THAT(brokenLaws(made(mean({broken, sound}), "mean", 2)),
                HasSubstr("computation above the average is"));
    EXPECT_THAT(brokenLaws(made(diff(broken, sound), "diff", 2)),
                HasSubstr("computation above the average is"));
}

/// Differences may be negative, and parts of them more than the whole.
TEST(LawsOfResultsOfOperators, ofWhatIsMadeOfADifference_areThoseOfTheDifference) {
    const Experiment one = diff(randomRun(3), randomRun(4)), other = diff(randomRun(5), randomRun(6));
    Experiment result = mean({one, other});
    Provenance difference{"diff", "", {}, {{"a", {}}, {"b", {}}}};
    setProvenance(result, Provenance{"mean", "", {}, {{"c", {difference}}, {"d", {difference}}}});
    EXPECT_EQ(brokenLaws(result), "");
}

}  // namespace
}  // namespace holos::algebra
