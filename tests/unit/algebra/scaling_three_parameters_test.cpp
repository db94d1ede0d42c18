// SPDX-License-Identifier: BSD-3-Clause
// Laws of three parameters: those that Extra-P looks for.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "algebra/insight/scaling/model_search.h"

namespace holos::algebra::scaling::three_parameters {
namespace {

using ::testing::HasSubstr;

const std::vector<double> kProcesses{2, 4, 8, 16}, kProblems{10, 20, 40, 80}, kOrders{1, 2, 4, 8};

using Law = std::function<double(double p, double n, double k)>;

/// At all points, with relative noise of that size.
std::vector<Measurement> measured(const Law& law, double deviation = 0, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 1);
    std::vector<Measurement> measurements;
    for (const double p : kProcesses)
        for (const double n : kProblems)
            for (const double k : kOrders) {
                measurements.push_back({{p, n, k}, {}});
                for (int run = 0; run < 2; ++run)
                    measurements.back().values.push_back(law(p, n, k) * (1 + deviation * noise(random)));
            }
    return measurements;
}

std::string textOf(const Law& law) {
    return findModel(measured(law)).model().text({"p", "n", "k"});
}

TEST(ThreeParameters, exactMeasurements_giveTheLaw) {
    EXPECT_EQ(textOf([](double, double, double) { return 7; }), "7");
    EXPECT_EQ(textOf([](double p, double n, double k) { return 1 + 0.5 * std::log2(p) * n * k * k; }),
              "1 + 0.5 * log2(p) * n * k^2");
    EXPECT_EQ(textOf([](double p, double n, double k) { return 1 + 2 * p + 3 * n * n + 5 * k; }),
              "1 + 2 * p + 3 * n^2 + 5 * k");
    EXPECT_EQ(textOf([](double p, double n, double k) { return 1 + 2 * p * n + 30 * k * k; }),
              "1 + 2 * p * n + 30 * k^2");
    EXPECT_EQ(textOf([](double p, double n, double k) { return 4 + 3 * n * k + 5 * std::log2(p); }),
              "4 + 3 * n * k + 5 * log2(p)");
}

/// What does not change with a parameter has no growth with it.
TEST(ThreeParameters, lawOfTwoOfThem_hasTheseOnly) {
    EXPECT_EQ(textOf([](double p, double, double k) { return 1 + 2 * p * k; }), "1 + 2 * p * k");
    EXPECT_EQ(textOf([](double, double n, double) { return 1 + 2 * n; }), "1 + 2 * n");
}

/// Work that is divided among processes, and communication.
TEST(ThreeParameters, dividedWorkBesideWhatGrows_isFound) {
    EXPECT_EQ(textOf([](double p, double n, double k) { return 2 + 8 * n / p + 3 * k; }),
              "2 + 8 * p^-1 * n + 3 * k");
}

/// A random law: a constant, and one to three products of random growths with one to three parameters, each
/// as large as the constant or up to ten times that where it is largest.
Law randomLaw(unsigned seed) {
    constexpr unsigned kShapes[][3] = {{7, 0, 0}, {1, 2, 4}, {7, 1, 0}, {7, 3, 0}, {7, 6, 1}, {3, 4, 0},
                                       {5, 2, 0}, {6, 1, 0}, {3, 4, 1}, {3, 0, 0}, {1, 4, 0}, {2, 0, 0}};
    std::mt19937 random(seed);
    const auto growth = [&]() -> std::function<double(double)> {
        switch (random() % 4) {
            case 0:
                return [](double x) { return std::log2(x); };
            case 1:
                return [](double x) { return std::sqrt(x); };
            case 2:
                return [](double x) { return x * x; };
            default:
                return [](double x) { return x; };
        }
    };
    const std::function<double(double)> growths[] = {growth(), growth(), growth()};
    const double largest[] = {kProcesses.back(), kProblems.back(), kOrders.back()};
    const auto& shape = kShapes[random() % std::size(kShapes)];
    struct Term {
        unsigned parameters;
        double factor;
    };
    std::vector<Term> terms;
    for (const unsigned parameters : shape) {
        if (parameters == 0) continue;
        double factor = 1 + random() % 10;
        for (unsigned i = 0; i < 3; ++i)
            if ((parameters >> i & 1U) != 0) factor /= growths[i](largest[i]);
        terms.push_back({parameters, factor});
    }
    return [=](double p, double n, double k) {
        const double at[] = {p, n, k};
        double value = 1;
        for (const Term& term : terms) {
            double product = term.factor;
            for (unsigned i = 0; i < 3; ++i)
                if ((term.parameters >> i & 1U) != 0) product *= growths[i](at[i]);
            value += product;
        }
        return value;
    };
}

TEST(ThreeParameters, randomLawsWithNoise_areWithinTheBoundsAndNear) {
    constexpr unsigned kCases = 60;
    constexpr double kNoise = 0.03;
    const Point beyond{2 * kProcesses.back(), 2 * kProblems.back(), 2 * kOrders.back()};
    unsigned within = 0, near = 0;
    for (unsigned seed = 0; seed < kCases; ++seed) {
        const Law law = randomLaw(seed);
        const double truth = law(beyond[0], beyond[1], beyond[2]);
        const ModelChoice found = findModel(measured(law, kNoise, seed));
        const Prediction prediction = found.at(beyond);
        within += prediction.low <= truth && truth <= prediction.high;
        near += std::abs(prediction.value - truth) < 0.1 * truth;
        EXPECT_GT(found.quality().explained.value_or(0), 0.9) << seed;
    }
    EXPECT_GE(within, 0.93 * kCases);
    EXPECT_GE(near, 0.93 * kCases);
}

/// At least four values of each, while the other two stay the same.
TEST(ThreeParameters, withTooFewRuns_areRefused) {
    std::vector<Measurement> measurements = measured([](double p, double, double) { return p; });
    std::erase_if(measurements, [](const Measurement& each) { return each.at[2] > 4; });
    EXPECT_THROW(findModel(measurements), TooFewSizes);
    measurements.clear();
    for (int i = 0; i < 4; ++i)
        measurements.push_back({{kProcesses[i], kProblems[i], kOrders[i]}, {1.0 + i, 1.0 + i}});
    try {
        findModel(measurements);
        FAIL() << "nobody knows which of the three it was";
    } catch (const TooFewSizes& error) {
        EXPECT_THAT(error.what(), HasSubstr("with several parameters, at least 4 runs must differ in one"));
    }
    EXPECT_THROW(findModel({{{1, 2, 3, 4}, {1}}}), Error);
}

}  // namespace
}  // namespace holos::algebra::scaling::three_parameters
