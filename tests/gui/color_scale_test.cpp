// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/color_scale.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace holos::gui;

namespace {

/// CIE lightness L*, as perceived, from the relative luminance of an sRGB colour.
double lightness(const QColor& color) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    return luminance <= 0.008856 ? luminance * 903.3 : 116 * std::cbrt(luminance) - 16;
}

}  // namespace

class ColorScales : public ::testing::TestWithParam<std::tuple<bool, ColorMap>> {};
INSTANTIATE_TEST_SUITE_P(LightAndDark, ColorScales,
                         ::testing::Combine(::testing::Bool(), ::testing::ValuesIn(kColorMaps)));

TEST_P(ColorScales, sequential_lightness_moves_one_way_in_nearly_equal_steps) {
    const auto [dark, map] = GetParam();
    const ColorScale scale(dark, map);
    constexpr int kSteps = 10;
    const double whole = lightness(scale.sequential(1.0)) - lightness(scale.sequential(0.0));
    EXPECT_GT(std::abs(whole), 40.0);
    EXPECT_EQ(whole > 0, dark);
    for (int step = 0; step < kSteps; ++step) {
        const double change = lightness(scale.sequential((step + 1.0) / kSteps)) -
                              lightness(scale.sequential(step / double{kSteps}));
        EXPECT_GT(change / whole, 0.5 / kSteps) << step;
        EXPECT_LT(change / whole, 1.5 / kSteps) << step;
    }
}

TEST_P(ColorScales, diverging_scale_is_neutral_in_the_middle_and_symmetric_in_lightness) {
    const auto [dark, map] = GetParam();
    const ColorScale scale(dark, map);
    EXPECT_LT(scale.diverging(0.0).hslSaturationF(), 0.1);
    for (const double share : {0.25, 0.5, 1.0}) {
        EXPECT_NEAR(lightness(scale.diverging(share)), lightness(scale.diverging(-share)), 8.0);
        EXPECT_GT(scale.diverging(-share).blueF(), scale.diverging(-share).redF());
        EXPECT_GT(scale.diverging(share).redF(), scale.diverging(share).blueF());
    }
}

TEST_P(ColorScales, share_out_of_range_is_clamped) {
    const auto [dark, map] = GetParam();
    const ColorScale scale(dark, map);
    EXPECT_EQ(scale.sequential(7.0), scale.sequential(1.0));
    EXPECT_EQ(scale.sequential(-7.0), scale.sequential(0.0));
    EXPECT_EQ(scale.diverging(-7.0), scale.diverging(-1.0));
}
