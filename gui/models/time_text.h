// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

#include "gui/models/quantity.h"

namespace holos::gui {

/// A moment of the run, with all digits that clocks tell apart: `1.234567 s`.
inline QString momentText(double seconds) {
    return QString::number(seconds, 'f', 6) + u" s"_qs;
}

/// How long something took, with a prefix of its own: `12.3 ms`.
inline QString durationText(double seconds, Digits digits = {}) {
    return QuantityFormat::absolute(u"sec"_qs, seconds, false, digits).text(seconds);
}

}  // namespace holos::gui
