// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTableView>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/instance_model.h"
#include "gui/models/timeline/timeline.h"
#include "gui/views/parts/detail_view.h"

namespace holos::gui {

struct TimelineWait;

/// The longest waits of an experiment in a list, and where they are in its trace.
class TimelineWaits : public QTableView {
    Q_OBJECT
  public:
    /// The experiment must outlive it.
    explicit TimelineWaits(const algebra::Experiment& experiment, QWidget* parent = nullptr);

    QString asCsv() const;
    /// Lists those of the metric that is selected.
    void follow(const Focus& focus);
    /// The longest one of the call path, where none of it is selected. Nobody is told that it was chosen.
    void selectOneOf(const std::optional<algebra::CallPathId>& path);
    /// The longest one of the call path; null: none is listed.
    const algebra::WaitInstance* longestOf(const std::optional<algebra::CallPathId>& path) const;
    std::optional<algebra::CallPathId> callPathOf(const algebra::WaitInstance& instance) const;

    /// A wait with its causer, if the trace has that. Nothing where the trace has no such location.
    std::optional<TimelineWait> placeOf(const algebra::WaitInstance& instance, const DefinitionsPtr& trace);
    /// Of all that are listed.
    std::vector<TimelineWait> placesIn(const DefinitionsPtr& trace);

  Q_SIGNALS:
    /// `follows`: it belongs to what is selected in the panes; else somebody chose it here.
    void chosen(const algebra::WaitInstance& instance, bool follows);

  private:
    std::optional<trace::LocationId> named(const std::string& name) const;

    InstanceModel waits_;
    bool isFollowing_ = false;
    DefinitionsPtr namesOf_;  ///< the trace of the locations that follow
    std::map<QString, std::size_t> locations_;
};

}  // namespace holos::gui
