// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_waits.h"

#include <QHeaderView>
#include <algorithm>

#include "gui/models/csv.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/value_delegate.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using namespace algebra;
using trace::Ticks;

TimelineWaits::TimelineWaits(const Experiment& experiment, QWidget* parent)
    : QTableView(parent), waits_(experiment) {
    setObjectName(u"Longest waits"_qs);
    setAccessibleName(u"Longest waits"_qs);
    setModel(&waits_);
    makeTableOfRows(*this);
    horizontalHeader()->setStretchLastSection(true);
    for (const int column : {InstanceModel::WaitColumn, InstanceModel::BeginColumn})
        setItemDelegateForColumn(column, new NumberDelegate(this));
    resizeColumnsToContents();
    setVisible(waits_.rowCount() > 0);
    onRowSelected(*this, this,
                  [this](const QModelIndex& row) { Q_EMIT chosen(waits_.at(row.row()), isFollowing_); });
}

QString TimelineWaits::asCsv() const {
    return tableAsCsv(waits_);
}

void TimelineWaits::follow(const Focus& focus) {
    waits_.setMetric(focus.metric.metric);
    waits_.setDigits(focus.digits);
    waits_.setWholeNames(focus.wholeNames);
    growColumns(*this, {InstanceModel::WaitColumn, InstanceModel::BeginColumn});
}

void TimelineWaits::selectOneOf(const std::optional<CallPathId>& path) {
    const QModelIndexList now = selectionModel()->selectedRows();
    if (!path || (!now.isEmpty() && callPathOf(waits_.at(now.front().row())) == path)) return;
    const int row = waits_.rowOf(*path);
    isFollowing_ = true;
    if (row >= 0) selectRow(row);
    isFollowing_ = false;
}

const WaitInstance* TimelineWaits::longestOf(const std::optional<CallPathId>& path) const {
    const int row = path ? waits_.rowOf(*path) : -1;
    return row >= 0 ? &waits_.at(row) : nullptr;
}

std::optional<CallPathId> TimelineWaits::callPathOf(const WaitInstance& instance) const {
    return waits_.callPathOf(instance);
}

std::optional<trace::LocationId> TimelineWaits::named(const std::string& name) const {
    const auto found = locations_.find(QString::fromStdString(name));
    return found == locations_.end() ? std::nullopt : std::optional(trace::LocationId(found->second));
}

std::optional<TimelineWait> TimelineWaits::placeOf(const WaitInstance& instance,
                                                   const DefinitionsPtr& trace) {
    if (namesOf_ != trace) {
        namesOf_ = trace;
        locations_.clear();
        for (std::size_t at = 0; at < trace->locations.size(); ++at)
            locations_.emplace(traceLocationName(*trace, trace::LocationId(at)), at);
    }
    const auto location = named(instance.location);
    if (!location) return std::nullopt;
    const auto ticks = [&trace](double seconds) {
        return static_cast<Ticks>(seconds * static_cast<double>(trace->clock.ticksPerSecond));
    };
    const Ticks begin = ticks(instance.begin);
    return TimelineWait{*location, begin, begin + std::max<Ticks>(1, ticks(instance.wait)),
                        named(instance.awaited)};
}

std::vector<TimelineWait> TimelineWaits::placesIn(const DefinitionsPtr& trace) {
    std::vector<TimelineWait> places;
    for (int row = 0; row < waits_.rowCount(); ++row)
        if (auto place = placeOf(waits_.at(row), trace)) places.push_back(*place);
    return places;
}

}  // namespace holos::gui
