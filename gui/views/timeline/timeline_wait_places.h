// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <map>
#include <optional>

#include "algebra/model/wait_files.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

struct TimelineWait;

/// Where waits of an experiment are in its trace.
class TimelineWaitPlaces {
  public:
    /// With its causer, if the trace has that. Nothing where the trace has no such location.
    std::optional<TimelineWait> of(const algebra::WaitInstance& instance, const DefinitionsPtr& trace);

  private:
    std::optional<trace::LocationId> named(const std::string& name) const;

    DefinitionsPtr namesOf_;  ///< the trace of the locations that follow
    std::map<QString, std::size_t> locations_;
};

}  // namespace holos::gui
