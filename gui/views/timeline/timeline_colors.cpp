// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_colors.h"

#include <algorithm>
#include <cmath>

#include "gui/views/parts/color_scale.h"

namespace holos::gui {

namespace {

struct Tone {
    double lightness, chroma, hue;
};

/// Told apart by lightness as well as by hue, with any colour vision.
Tone toneOf(Activity activity) {
    switch (activity) {
        case Activity::User:
            return {0.80, 0.07, 230};
        case Activity::Mpi:
            return {0.58, 0.17, 30};
        case Activity::OpenMp:
            return {0.90, 0.06, 95};
        case Activity::OpenMpWaiting:
            return {0.74, 0.14, 75};
        case Activity::Other:
            return {0.70, 0.00, 0};
        case Activity::Nothing:
            break;
    }
    return {0.95, 0.0, 0};
}

/// Dark grounds need quieter colours.
constexpr double kDarker = 0.17;

}  // namespace

QColor colorOfRegion(const trace::Region& region, bool dark) {
    return colorOfRegion(region, activityOf(region), dark);
}

QColor colorOfRegion(const trace::Region& region, Activity activity, bool dark) {
    const Tone tone = toneOf(activity);
    const auto shade = static_cast<double>(qHash(QString::fromStdString(region.name), 0) % 7) / 6.0 - 0.5;
    const bool user = activity == Activity::User;
    return fromOkLch(tone.lightness - (dark ? kDarker : 0.0) + shade * (user ? 0.14 : 0.05), tone.chroma,
                     tone.hue + shade * (user ? 70.0 : 14.0));
}

QColor colorOfActivity(Activity activity, bool dark) {
    const Tone tone = toneOf(activity);
    return fromOkLch(tone.lightness - (dark ? kDarker : 0.0), tone.chroma, tone.hue);
}

QColor heatColor(float share, bool dark) {
    // What is little is seen as well.
    const double part = std::sqrt(std::clamp(static_cast<double>(share), 0.0, 1.0));
    return dark ? fromOkLch(0.25 + 0.50 * part, 0.02 + 0.15 * part, 60 - 20 * part)
                : fromOkLch(0.97 - 0.50 * part, 0.01 + 0.17 * part, 80 - 45 * part);
}

QColor pathColor(bool dark) {
    return fromOkLch(dark ? 0.80 : 0.50, 0.20, 330);
}

QColor operationColor(bool dark) {
    return fromOkLch(dark ? 0.75 : 0.42, 0.13, 290);
}

}  // namespace holos::gui
