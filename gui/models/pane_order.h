// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "gui/models/selection.h"

namespace holos::gui {

class ValueCache;

enum class Pane : unsigned char { Metrics, Program, System };
/// From left to right.
using PaneOrder = std::array<Pane, 3>;
inline constexpr PaneOrder kUsualOrder{Pane::Metrics, Pane::Program, Pane::System};

/// All six, the usual one first.
std::vector<PaneOrder> paneOrders();
/// `metric.call.system`, for saved states.
QString nameOf(const PaneOrder& order);
std::optional<PaneOrder> paneOrderNamed(const QString& name);
using PaneSet = std::set<Pane>;
/// `metric.system`, for saved states.
QString nameOf(const PaneSet& panes);
std::optional<PaneSet> paneSetNamed(const QString& name);
/// `Metrics, call paths, system`, for menus.
QString titleOf(const PaneOrder& order);
bool isLeftOf(Pane pane, Pane other, const PaneOrder& order);

/// What the values of a pane are of.
struct Context {
    algebra::MetricChoice metric{};
    algebra::ChosenPaths paths = kAll;
    algebra::ChosenLocations locations = kAll;

    friend bool operator==(const Context& one, const Context& other);
};

/// What is selected in the panes left of this one, and all of what stands right of it: of the metrics that is
/// the root of the hierarchy of the selected one, because other hierarchies measure other things.
Context contextOf(Pane pane, const PaneOrder& order, const Selection& selection, const ValueCache& cache);

}  // namespace holos::gui
