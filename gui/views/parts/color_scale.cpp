// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/color_scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace holos::gui {

namespace {

using LinearRgb = std::array<double, 3>;

LinearRgb linearFromOkLch(double lightness, double chroma, double hue) {
    const double radians = hue * std::numbers::pi / 180.0;
    const double a = chroma * std::cos(radians);
    const double b = chroma * std::sin(radians);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool inGamut(const LinearRgb& rgb) {
    return std::ranges::all_of(rgb, [](double part) { return part >= -1e-4 && part <= 1.0001; });
}

float gammaEncoded(double part) {
    const double clamped = std::clamp(part, 0.0, 1.0);
    return static_cast<float>(clamped <= 0.0031308 ? 12.92 * clamped
                                                   : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055);
}

/// The hues of a family, in degrees.
struct Ramp {
    double lightFrom, lightTo, darkFrom, darkTo;
    double colourful;  ///< 0: grey
    double below, above;
};
constexpr std::array kRamps{Ramp{100.0, 5.0, -60.0, 95.0, 1.0, 255.0, 50.0},
                            Ramp{150.0, 295.0, 290.0, 150.0, 0.8, 195.0, 20.0},
                            Ramp{0.0, 0.0, 0.0, 0.0, 0.0, 255.0, 50.0}};
constexpr std::array kNames{"fire", "ocean", "grey"};

constexpr std::size_t kTones = 1001;  ///< odd: the middle one is for zero

double between(double from, double to, double share) {
    return from + (to - from) * share;
}

}  // namespace

QColor fromOkLch(double lightness, double chroma, double hue) {
    LinearRgb rgb = linearFromOkLch(lightness, chroma, hue);
    while (!inGamut(rgb) && chroma > 0.0) {
        chroma = std::max(0.0, chroma - 0.004);
        rgb = linearFromOkLch(lightness, chroma, hue);
    }
    return QColor::fromRgbF(gammaEncoded(rgb[0]), gammaEncoded(rgb[1]), gammaEncoded(rgb[2]));
}

QString colorMapName(ColorMap map) {
    return QString::fromLatin1(kNames[static_cast<std::size_t>(map)]);
}

std::optional<ColorMap> colorMapNamed(const QString& name) {
    for (const ColorMap map : kColorMaps)
        if (name == colorMapName(map)) return map;
    return std::nullopt;
}

QColor ColorScale::sequential(double share) const {
    const double at = std::clamp(share, 0.0, 1.0);
    const Ramp& ramp = kRamps[static_cast<std::size_t>(map_)];
    // Pale to deep; on a dark ground deep to bright.
    if (dark_)
        return fromOkLch(between(0.32, 0.90, at), ramp.colourful * between(0.08, 0.17, at),
                         between(ramp.darkFrom, ramp.darkTo, at));
    return fromOkLch(between(0.97, 0.40, at), ramp.colourful * between(0.05, 0.19, std::sqrt(at)),
                     between(ramp.lightFrom, ramp.lightTo, at));
}

QColor ColorScale::diverging(double share) const {
    const double at = std::clamp(std::abs(share), 0.0, 1.0);
    const Ramp& ramp = kRamps[static_cast<std::size_t>(map_)];
    const double hue = share < 0.0 ? ramp.below : ramp.above;
    if (dark_) return fromOkLch(between(0.32, 0.80, at), between(0.0, 0.16, at), hue);
    return fromOkLch(between(0.96, 0.48, at), between(0.0, 0.17, at), hue);
}

Tones::Tones(const ColorScale& scale, bool signedValues) : signed_(signedValues) {
    for (std::size_t tone = 0; tone < kTones; ++tone) {
        const double share = static_cast<double>(tone) / (kTones - 1);
        tones_.push_back(scale.color(signedValues ? 2.0 * share - 1.0 : share, signedValues));
    }
}

const QColor& Tones::at(double share) const {
    const double place = std::clamp(signed_ ? (share + 1.0) / 2.0 : share, 0.0, 1.0);
    return tones_[static_cast<std::size_t>(std::lround(place * (kTones - 1)))];
}

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto mix = [share](float a, float b) { return static_cast<float>(a + (b - a) * share); };
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
                            mix(from.blueF(), to.blueF()));
}

}  // namespace holos::gui
