// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "algebra/model/queries.h"
#include "gui/models/quantity.h"
#include "gui/models/shown_values.h"

namespace holos::gui {

class ValueCache;

bool isSame(const algebra::MetricChoice& one, const algebra::MetricChoice& other);

/// What is selected in an open experiment, and how values are written: the one thing that the panes share. A
/// pane tells it what was chosen, and the panes to its right follow the signals. A signal comes only with a
/// change.
class Selection : public QObject {
    Q_OBJECT
  public:
    algebra::MetricChoice metric() const { return metric_; }
    const algebra::ChosenPaths& callPaths() const { return callPaths_; }
    ValueMode mode() const { return mode_; }

    /// Matters when the system stands left of the program.
    const algebra::ChosenLocations& locations() const { return locations_; }
    void setLocations(algebra::ChosenLocations locations);

    void setMetric(algebra::MetricChoice metric);
    void setCallPaths(algebra::ChosenPaths paths);
    void setMode(ValueMode mode);
    Digits digits() const { return digits_; }
    void setDigits(Digits digits);
    /// Whether long names of functions are written with all their parameters and template arguments.
    bool wholeNames() const { return wholeNames_; }
    void setWholeNames(bool whole);

  Q_SIGNALS:
    void metricChanged();
    void callPathsChanged();
    void locationsChanged();
    void modeChanged();
    void digitsChanged();
    void namesChanged();

  private:
    algebra::MetricChoice metric_{};
    algebra::ChosenPaths callPaths_ = kAll;
    algebra::ChosenLocations locations_ = kAll;
    ValueMode mode_ = ValueMode::Absolute;
    Digits digits_;
    bool wholeNames_ = false;
};

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
