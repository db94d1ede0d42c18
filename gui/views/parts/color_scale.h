// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>
#include <optional>
#include <vector>

namespace holos::gui {

/// Families of colours: a sequential scale and a diverging one each.
enum class ColorMap : unsigned char {
    Fire,   ///< yellow over orange to red; blue and orange
    Ocean,  ///< pale green over blue to violet; teal and red
    Grey,   ///< for print; blue and orange
};

/// `fire`, `ocean`, `grey`: on the command line and in saved states.
QString colorMapName(ColorMap map);
std::optional<ColorMap> colorMapNamed(const QString& name);
inline constexpr std::array kColorMaps{ColorMap::Fire, ColorMap::Ocean, ColorMap::Grey};

/// Colours for values, from the background's side (nothing) to the strongest (all of it). Built in the OkLab
/// space with lightness linear in the value, so that equal steps look equal, with any kind of colour vision
/// and in grey print. Signed values diverge from a neutral middle: cold below zero, warm above.
class ColorScale {
  public:
    ColorScale(bool dark, ColorMap map) : dark_(dark), map_(map) {}

    /// `share` in 0 … 1.
    QColor sequential(double share) const;
    /// `share` in −1 … 1.
    QColor diverging(double share) const;
    QColor color(double share, bool signedValues) const {
        return signedValues ? diverging(share) : sequential(share);
    }

  private:
    bool dark_;
    ColorMap map_;
};

/// A scale's colours from its one end to the other, looked up: many cells take long to mix.
class Tones {
  public:
    Tones(const ColorScale& scale, bool signedValues);

    /// `share` in −1 … 1 for signed values, or else in 0 … 1.
    const QColor& at(double share) const;

  private:
    bool signed_;
    std::vector<QColor> tones_;
};

/// OkLCh to sRGB (B. Ottosson, "A perceptual color space for image processing", 2020); chroma is reduced
/// where sRGB cannot show it, so that lightness and hue are kept. `hue` in degrees.
QColor fromOkLch(double lightness, double chroma, double hue);

/// `from` for a share of 0, `to` for 1.
QColor mixed(const QColor& from, const QColor& to, double share);

}  // namespace holos::gui
