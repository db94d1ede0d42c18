// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QColor>

#include "gui/models/timeline/timeline.h"

/// The colours of a timeline, for a light or a dark ground. Waits have `waitColor`, as in other views.
namespace holos::gui {

/// A colour for a region: its activity gives the hue, its name the shade.
QColor colorOfRegion(const trace::Region& region, bool dark);
/// As if that were its activity.
QColor colorOfRegion(const trace::Region& region, Activity activity, bool dark);
/// The colour that stands for an activity in a legend.
QColor colorOfActivity(Activity activity, bool dark);

/// Of a heat map: from the ground's colour for nothing to a warm one for all of the time.
QColor heatColor(float share, bool dark);

/// Of the critical path.
QColor pathColor(bool dark);
/// Of collective operations.
QColor operationColor(bool dark);

}  // namespace holos::gui
