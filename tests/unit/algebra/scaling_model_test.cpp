// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "algebra/insight/scaling/model_search.h"
#include "algebra/insight/scaling/noise.h"

namespace holos::algebra::scaling {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

/// Measurements of a law at some sizes, without noise.
template <class Law>
std::vector<Measurement> exactly(const std::vector<double>& sizes, Law law) {
    std::vector<Measurement> all;
    for (const double size : sizes) all.push_back({{size}, {law(size), law(size), law(size)}});
    return all;
}

/// The product that outgrows the others when all parameters grow together; null for a constant.
const Product* leadingOf(const PerformanceModel& model) {
    const auto order = [](const Product& product) {
        std::pair<double, int> sum{0, 0};
        for (const Growth& growth : product) {
            if (growth.isBounded() && !growth.vanishes()) continue;
            sum.first += growth.exponent();
            sum.second += growth.logarithms;
        }
        return sum;
    };
    const auto most = std::ranges::max_element(
        model.products, [&](const Product& a, const Product& b) { return order(a) < order(b); });
    return most == model.products.end() ? nullptr : &*most;
}

const std::vector<double> kSizes{4, 8, 16, 32, 64};

/// Of how many of 200 noisy cases something holds: 5 sizes, 3 repetitions, 5 % noise.
struct Cases {
    double within = 0;    ///< the true value for four times the largest size is between the bounds
    double growth = 0;    ///< the exponent is right up to a third
    double constant = 0;  ///< nothing grows
};

/// A constant and a part that grows to `share` of it at the largest size.
Cases noisyCases(const Growth& growth, double share) {
    constexpr int kCases = 200;
    std::mt19937_64 random(42);
    std::normal_distribution<double> noise(0, 0.05);
    const double largest = growth.vanishes() ? growth.at(kSizes.front()) : growth.at(kSizes.back());
    const auto law = [&](double size) { return 1 + share * growth.at(size) / largest; };
    Cases cases;
    for (int i = 0; i < kCases; ++i) {
        std::vector<Measurement> measurements;
        for (const double size : kSizes) {
            measurements.push_back({{size}, {}});
            for (int run = 0; run < 3; ++run)
                measurements.back().values.push_back(law(size) * (1 + noise(random)));
        }
        const ModelChoice found = findModel(measurements);
        const Prediction prediction = found.at({256});
        const Product* leading = leadingOf(found.model());
        const double exponent = leading != nullptr ? leading->front().exponent() : 0;
        cases.within += prediction.low <= law(256) && law(256) <= prediction.high;
        cases.growth += leading != nullptr && std::abs(exponent - growth.exponent()) < 0.34;
        cases.constant += leading == nullptr;
    }
    return {cases.within / kCases, cases.growth / kCases, cases.constant / kCases};
}

TEST(ScalingModel, exactMeasurements_giveTheLaw) {
    EXPECT_EQ(findModel(exactly(kSizes, [](double) { return 2.5; })).model().text({"p"}), "2.5");
    EXPECT_EQ(findModel(exactly(kSizes, [](double p) { return 1 + 0.5 * p; })).model().text({"p"}),
              "1 + 0.5 * p");
    EXPECT_EQ(findModel(exactly(kSizes, [](double p) { return 3 + 2 * std::log2(p); })).model().text({"p"}),
              "3 + 2 * log2(p)");
    EXPECT_EQ(
        findModel(exactly(kSizes, [](double p) { return 3 + 2 * p * std::log2(p); })).model().text({"p"}),
        "3 + 2 * p * log2(p)");
    EXPECT_EQ(findModel(exactly(kSizes, [](double p) { return 1 + std::pow(p, 1.5); })).model().text({"p"}),
              "1 + 1 * p^(3/2)");
    EXPECT_EQ(findModel(exactly(kSizes, [](double p) { return 1 + 100 / p; })).model().text({"p"}),
              "1 + 100 * p^-1");
}

TEST(ScalingModel, strongScalingWithGrowingCommunication_hasBothTerms) {
    const ModelChoice found =
        findModel(exactly(kSizes, [](double p) { return 5 + 100 / p + 0.5 * std::log2(p); }));
    EXPECT_EQ(found.model().text({"p"}), "5 + 100 * p^-1 + 0.5 * log2(p)");
    EXPECT_NEAR(found.at({1024}).value, 5 + 100.0 / 1024 + 5, 1e-6);
}

TEST(ScalingModel, withoutRepetitions_isFoundByWhatModelsLeave) {
    std::vector<Measurement> measurements;
    double sign = 1;
    for (const double p : {2, 4, 8, 16, 32, 64, 128}) {
        measurements.push_back({{p}, {(1 + 0.2 * p) * (1 + 0.01 * sign)}});
        sign = -sign;
    }
    const ModelChoice found = findModel(measurements);
    ASSERT_NE(leadingOf(found.model()), nullptr);
    EXPECT_EQ(growthText(leadingOf(found.model())->front(), "p"), "p");
    EXPECT_NEAR(found.quality().crossError, 1, 1);
}

TEST(ScalingModel, noisyConstant_isFoundAsOne) {
    EXPECT_GE(noisyCases({}, 0).constant, 0.9);
}

TEST(ScalingModel, noisyLaws_boundsHoldTheTrueValue) {
    for (const Growth& growth : {Growth{0, 1, 1}, Growth{1, 2, 0}, Growth{1, 1, 0}, Growth{1, 1, 1},
                                 Growth{2, 1, 0}, Growth{-1, 1, 0}})
        for (const double share : {0.3, 1.0, 3.0, 10.0})
            EXPECT_GE(noisyCases(growth, share).within, 0.95) << growthText(growth, "p") << ' ' << share;
}

TEST(ScalingModel, noisyLawsThatDominate_haveTheirExponent) {
    for (const Growth& growth :
         {Growth{0, 1, 1}, Growth{1, 1, 0}, Growth{1, 1, 1}, Growth{2, 1, 0}, Growth{-1, 1, 0}})
        EXPECT_GE(noisyCases(growth, 10).growth, 0.95) << growthText(growth, "p");
}

TEST(ScalingModel, twoParameters_areProductsOrSums) {
    std::vector<Measurement> product, sum;
    for (const double p : {2, 4, 8, 16, 32})
        for (const double n : {10, 20, 40, 80}) {
            product.push_back({{p, n}, {1 + 0.1 * std::log2(p) * n * n, 1 + 0.1 * std::log2(p) * n * n}});
            sum.push_back({{p, n}, {2 * n + 3 * p, 2 * n + 3 * p}});
        }
    EXPECT_EQ(findModel(product).model().text({"p", "n"}), "1 + 0.1 * log2(p) * n^2");
    EXPECT_THAT(findModel(sum).at({64, 160}).value, DoubleNear(2 * 160 + 3 * 64, 1e-6));
}

/// Of how many of 100 noisy cases the bounds hold the true value for twice both parameters' largest values:
/// 5 × 4 points, 3 repetitions, 5 % noise.
template <class Law>
double casesWithinBounds(Law law) {
    constexpr int kCases = 100;
    std::mt19937_64 random(42);
    std::normal_distribution<double> noise(0, 0.05);
    int within = 0;
    for (int i = 0; i < kCases; ++i) {
        std::vector<Measurement> measurements;
        for (const double p : {2, 4, 8, 16, 32})
            for (const double n : {10, 20, 40, 80}) {
                measurements.push_back({{p, n}, {}});
                for (int run = 0; run < 3; ++run)
                    measurements.back().values.push_back(law(p, n) * (1 + noise(random)));
            }
        const Prediction prediction = findModel(measurements).at({64, 160});
        within += prediction.low <= law(64, 160) && law(64, 160) <= prediction.high;
    }
    return static_cast<double>(within) / kCases;
}

TEST(ScalingModel, twoParametersWithNoise_boundsHoldTheTrueValue) {
    EXPECT_GE(casesWithinBounds([](double p, double n) { return 1 + 0.01 * n * std::log2(p); }), 0.95);
    EXPECT_GE(casesWithinBounds([](double p, double n) { return 2 * n + 3 * p; }), 0.95);
    EXPECT_GE(casesWithinBounds([](double p, double n) { return 5 + 0.001 * n * n + 0 * p; }), 0.95);
}

const std::vector<double> kProblems{10, 20, 40, 80, 160};
const Growth kNone{0, 1, 0};

/// How the growth with processes and that with the problem make up a law, beside a constant of 1.
enum class Shape { Product, Sum };

struct TwoParameterLaw {
    Shape shape;
    Growth processes;
    Growth problem;
    double share;  ///< of what changes where it is largest, in constants

    double at(double p, double n) const {
        const double largest = processes.vanishes() ? kSizes.front() : kSizes.back();
        const double ofProcesses = processes.at(p) / processes.at(largest);
        const double ofProblem = problem.at(n) / problem.at(kProblems.back());
        return 1 +
               share * (shape == Shape::Product ? ofProcesses * ofProblem : (ofProcesses + ofProblem) / 2);
    }
    std::vector<Product> products() const {
        if (shape == Shape::Product) return {{processes, problem}};
        return {{processes, kNone}, {kNone, problem}};
    }
    std::vector<Measurement> measured(std::mt19937_64& random) const {
        std::normal_distribution<double> noise(0, 0.05);
        std::vector<Measurement> measurements;
        for (const double p : kSizes)
            for (const double n : kProblems) {
                measurements.push_back({{p, n}, {}});
                for (int run = 0; run < 3; ++run)
                    measurements.back().values.push_back(at(p, n) * (1 + noise(random)));
            }
        return measurements;
    }
};

/// All pairs of laws of ordinary algorithms; what is divided among processes is one of them.
std::vector<TwoParameterLaw> ordinaryLaws(Shape shape, double share) {
    std::vector<TwoParameterLaw> laws;
    for (const Growth& processes : allGrowths())
        for (const Growth& problem : allGrowths())
            if (processes.oddness == 1 && problem.oddness == 1 && !problem.vanishes())
                laws.push_back({shape, processes, problem, share});
    return laws;
}

/// The exponents are right up to a third, for each parameter, and what grows is a product or a sum as it
/// should.
bool isLike(const std::vector<Product>& found, const TwoParameterLaw& law) {
    double processes = 0, problem = 0;
    const auto isLess = [](double a, double b) { return std::abs(a) < std::abs(b); };
    bool isProduct = false;
    for (const Product& product : found) {
        processes = std::max(processes, product[0].exponent(), isLess);
        problem = std::max(problem, product[1].exponent(), isLess);
        isProduct = isProduct || (!product[0].isConstant() && !product[1].isConstant());
    }
    return std::abs(processes - law.processes.exponent()) < 0.34 &&
           std::abs(problem - law.problem.exponent()) < 0.34 && isProduct == (law.shape == Shape::Product);
}

/// What somebody finds who knows all laws that it may be, and how large the noise is: the likeliest of them.
/// No method that knows less is right more often.
std::vector<Product> likeliest(const std::vector<Measurement>& measurements,
                               const std::vector<TwoParameterLaw>& laws) {
    const Points points = pointsOf(measurements);
    double least = std::numeric_limits<double>::max();
    std::vector<Product> best;
    for (const TwoParameterLaw& law : laws) {
        const std::vector<Product> products = law.products();
        Columns columns(1, std::vector<double>(points.at.size(), 1.0));
        for (const Product& product : products) {
            std::vector<double>& column = columns.emplace_back();
            for (const Point& point : points.at) column.push_back(valueOf(product, point));
        }
        const auto fit = fitColumns(columns, points.values, points.deviations);
        if (!fit || fit->sumOfSquares() >= least) continue;
        least = fit->sumOfSquares();
        best = products;
    }
    return best;
}

/// Of how many noisy cases the law is found: 5 × 5 points, 3 repetitions, 5 % noise.
struct Found {
    double byHolos = 0;
    double possible = 0;
};

Found foundLaws(double share) {
    std::vector<TwoParameterLaw> laws = ordinaryLaws(Shape::Product, share);
    for (const TwoParameterLaw& sum : ordinaryLaws(Shape::Sum, share)) laws.push_back(sum);
    constexpr int kCasesOfEach = 2;
    std::mt19937_64 random(42);
    Found found;
    for (const TwoParameterLaw& law : laws)
        for (int i = 0; i < kCasesOfEach; ++i) {
            const std::vector<Measurement> measurements = law.measured(random);
            found.byHolos += isLike(findModel(measurements).model().products, law);
            found.possible += isLike(likeliest(measurements, laws), law);
        }
    const auto cases = static_cast<double>(laws.size() * kCasesOfEach);
    return {found.byHolos / cases, found.possible / cases};
}

TEST(ScalingModel, twoParametersWithNoise_lawsAreFoundAsOftenAsPossible) {
    const Found weak = foundLaws(1);
    EXPECT_GE(weak.byHolos, 0.95 * weak.possible) << "of what can be found at all";
    for (const double share : {3.0, 10.0, 100.0}) EXPECT_GE(foundLaws(share).byHolos, 0.95) << share;
}

TEST(ScalingModel, countsNeverBecomeNegative) {
    const ModelChoice found = findModel(exactly(kSizes, [](double p) { return 10 - 0.15 * p; }));
    EXPECT_GE(found.at({4096}).value, 0);
}

TEST(ScalingModel, tooFewSizes_areSaid) {
    try {
        findModel(exactly({2, 4, 8}, [](double p) { return p; }));
        FAIL() << "three sizes are too few";
    } catch (const TooFewSizes& error) {
        EXPECT_THAT(error.what(), HasSubstr("at least 4 different values"));
    }
    EXPECT_THROW(findModel(exactly({0.5, 1, 2, 4}, [](double p) { return p; })), Error);
    EXPECT_THROW(findModel({{{1, 2, 3}, {1}}}), Error);
    EXPECT_THROW(findModel({}), Error);
}

}  // namespace
}  // namespace holos::algebra::scaling
