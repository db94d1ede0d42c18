// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QColor>
#include <QPalette>

namespace holos::gui {

/// Colours for values, from the background's side (nothing) to the strongest (all of it). Built in the OkLab
/// space with lightness linear in the value, so that equal steps look equal, with any kind of colour vision
/// and in grey print. Signed values diverge from a neutral middle: blue below zero, orange above.
class ColorScale {
  public:
    explicit ColorScale(bool dark) : dark_(dark) {}
    /// The scale for what is painted on `palette`'s base.
    static ColorScale on(const QPalette& palette);

    /// `share` in 0 … 1.
    QColor sequential(double share) const;
    /// `share` in −1 … 1.
    QColor diverging(double share) const;
    QColor color(double share, bool signedValues) const {
        return signedValues ? diverging(share) : sequential(share);
    }

  private:
    bool dark_;
};

/// OkLCh to sRGB (B. Ottosson, "A perceptual color space for image processing", 2020); chroma is reduced
/// where sRGB cannot show it, so that lightness and hue are kept. `hue` in degrees.
QColor fromOkLch(double lightness, double chroma, double hue);

}  // namespace holos::gui
