// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "algebra/insight/scaling/model_search.h"

namespace holos::algebra::scaling {
namespace {

using ::testing::HasSubstr;

using Random = std::mt19937_64;
using StudiedLaw = std::function<double(double)>;

double between(Random& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

/// Each order of magnitude as likely.
double orders(Random& random, double low, double high) {
    return std::exp(between(random, std::log(low), std::log(high)));
}

const std::vector<double> kStudied{4, 8, 16, 32, 64};
constexpr double kPredicted = 256;

StudiedLaw ordinary(Random& random) {
    const std::vector<StudiedLaw> growths{[](double p) { return std::log2(p); },
                                          [](double p) { return std::sqrt(p); },
                                          [](double p) { return p; },
                                          [](double p) { return p * std::log2(p); },
                                          [](double p) { return p * p; },
                                          [](double p) { return 1 / p; },
                                          [](double) { return 0.0; }};
    const StudiedLaw growth = growths[random() % growths.size()];
    const double share = orders(random, 0.3, 10) / std::max({growth(4), growth(64), 1e-9});
    return [=](double p) { return 1 + share * growth(p); };
}

/// Another algorithm is used from some size on.
StudiedLaw step(Random& random) {
    const double place = orders(random, 4, 64), height = orders(random, 0.3, 10);
    const bool isDown = random() % 2 == 0;
    return [=](double p) { return 1 + ((p > place) != isDown ? height : 0); };
}

/// A resource is exhausted at some size: what was constant, or divided, grows from there on.
StudiedLaw kink(Random& random) {
    const double place = orders(random, 4, 48), height = orders(random, 0.3, 10);
    const double divided = random() % 2 == 0 ? 0 : orders(random, 0.3, 3);
    return [=](double p) { return 1 + divided * 4 / p + height * std::max(0.0, p - place) / 64; };
}

/// A growth that comes to an end: at once, or by and by.
StudiedLaw saturating(Random& random) {
    const double place = orders(random, 4, 64), height = orders(random, 0.3, 10);
    switch (random() % 3) {
        case 0:
            return [=](double p) { return 1 + height * p / (p + place); };
        case 1:
            return [=](double p) { return 1 + height * (1 - std::exp(-p / place)); };
        default:
            return [=](double p) { return 1 + height * std::min(p, place) / place; };
    }
}

std::vector<Measurement> measured(const StudiedLaw& law, Random& random, double noise, int repetitions) {
    std::normal_distribution<double> deviation(0, noise);
    std::vector<Measurement> measurements;
    for (const double size : kStudied) {
        measurements.push_back({{size}, {}});
        for (int run = 0; run < repetitions; ++run)
            measurements.back().values.push_back(law(size) * (1 + deviation(random)));
    }
    return measurements;
}

/// Of how many of 300 random laws the bounds hold the true value, and how wide they are in the middle case,
/// in true values.
struct Held {
    double within = 0;
    double width = 0;
};

Held heldBy(StudiedLaw (*kind)(Random&)) {
    constexpr int kCases = 300, kRepetitions = 3;
    Random random(42);
    Held held;
    std::vector<double> widths;
    for (int i = 0; i < kCases; ++i) {
        const StudiedLaw law = kind(random);
        const double noise = orders(random, 0.005, 0.1), truth = law(kPredicted);
        const Prediction found = findModel(measured(law, random, noise, kRepetitions)).at({kPredicted});
        held.within += found.low <= truth && truth <= found.high;
        widths.push_back((found.high - found.low) / truth);
    }
    held.within /= kCases;
    std::ranges::nth_element(widths, widths.begin() + kCases / 2);
    held.width = widths[kCases / 2];
    return held;
}

void expectBoundsHold(StudiedLaw (*kind)(Random&)) {
    constexpr double kOftenEnough = 0.93;
    const Held held = heldBy(kind);
    EXPECT_GE(held.within, kOftenEnough);
    std::cout << "within the bounds: " << 100 * held.within << " %, width " << held.width << '\n';
}

TEST(ScalingBounds, ordinaryLaws_holdTheTrueValue) {
    expectBoundsHold(ordinary);
}

TEST(ScalingBounds, stepsBetweenSizes_holdTheTrueValue) {
    expectBoundsHold(step);
}

TEST(ScalingBounds, kinks_holdTheTrueValue) {
    expectBoundsHold(kink);
}

TEST(ScalingBounds, growthThatEnds_holdsTheTrueValue) {
    expectBoundsHold(saturating);
}

TEST(ScalingBounds, valuesThatFollowNoLaw_areSaidToFollowNone) {
    std::vector<Measurement> zigzag;
    double value = 1;
    for (const double size : {2, 4, 8, 16, 32, 64, 128, 256}) {
        zigzag.push_back({{size}, {value, 1.01 * value, 0.99 * value}});
        value = 4 - value;
    }
    const ModelChoice found = findModel(zigzag);
    EXPECT_FALSE(found.quality().fits);
    EXPECT_THAT(found.law({"p"}), HasSubstr("no law fits"));
    EXPECT_LE(found.at({512}).low, 1);
    EXPECT_GE(found.at({512}).high, 3);
}

TEST(ScalingBounds, exactStep_isOne) {
    std::vector<Measurement> measurements;
    for (const double size : {2, 4, 8, 16, 32, 64})
        measurements.push_back({{size}, std::vector<double>(3, size > 8 ? 3.0 : 1.0)});
    const ModelChoice found = findModel(measurements);
    EXPECT_EQ(found.law({"p"}), "1 + 2 * (p > 11.3)");
    EXPECT_NEAR(found.at({1024}).value, 3, 1e-6);
    EXPECT_NEAR(found.at({1024}).high, 3, 0.5);
}

TEST(ScalingBounds, constant_explainsNoDifferences) {
    std::vector<Measurement> measurements;
    for (const double size : kStudied) measurements.push_back({{size}, {2.5, 2.5}});
    const ModelChoice found = findModel(measurements);
    EXPECT_TRUE(found.quality().fits);
    EXPECT_FALSE(found.quality().explained.has_value());
}

}  // namespace
}  // namespace holos::algebra::scaling
