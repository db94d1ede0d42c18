// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "gui/models/timeline.h"

namespace holos::gui {

/// What stays the same while one picture of a trace is painted again and again.
class TimelineRows {
  public:
    TimelineRows() = default;
    TimelineRows(const trace::Definitions& definitions, TimelinePtr picture);

    int count() const { return static_cast<int>(names_.size()); }
    const QString& name(int row) const { return names_[static_cast<std::size_t>(row)]; }
    std::optional<int> rowOf(trace::LocationId location) const;

    /// In which order the calls of a row are painted, and which of them contain no others.
    struct Calls {
        std::vector<std::size_t> fromOutside;  ///< positions of the spans, the outermost first
        std::vector<bool> leaves;              ///< by position
    };
    /// Found when it is asked for first.
    const Calls& calls(int row) const;

  private:
    TimelinePtr picture_;
    std::vector<QString> names_;
    std::map<std::size_t, int> rows_;  ///< by location
    mutable std::vector<std::optional<Calls>> calls_;
};

}  // namespace holos::gui
