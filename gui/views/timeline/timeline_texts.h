// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QHash>
#include <functional>

#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_picture.h"

namespace holos::gui {

/// What tool tips of a timeline say. Made for one question; all that it is given must outlive it.
class TimelineTexts {
  public:
    using RegionName = std::function<QString(trace::RegionId)>;

    /// `metricNames`: names that are displayed, by unique names. The picture may be null.
    TimelineTexts(const trace::Definitions& definitions, const TimelineLines& lines,
                  const TimelinePicture* picture, RegionName nameOf,
                  const QHash<QString, QString>& metricNames, Digits digits)
        : definitions_(definitions),
          lines_(lines),
          picture_(picture),
          nameOf_(std::move(nameOf)),
          metricNames_(metricNames),
          digits_(digits) {}

    /// The calls from the outermost to the innermost one, and how long that took, or what most of the time
    /// was; what analysis found there.
    QString at(int line, trace::Ticks time) const;
    /// The wait at a time, for whom, and what that one did for most of it; empty: none is known.
    QString waitAt(int line, trace::Ticks time) const;

  private:
    QString stackText(const TimelineRow& row, std::uint32_t depth, trace::Ticks time) const;
    QString mostlyDone(std::uint32_t location, trace::Ticks begin, trace::Ticks end) const;
    QString callsAt(const TimelineRow& row, trace::Ticks time) const;
    QString binAt(const TimelineRow& row, trace::Ticks time) const;
    QString marksAt(int line, trace::Ticks time) const;
    QString operationText(const OperationBundle& bundle) const;
    QString lengthOf(trace::Ticks begin, trace::Ticks end) const;
    QString shortageAt(const TimelineRow& row, trace::Ticks time) const;
    QString titleOf(std::uint32_t name) const;
    std::optional<int> lineOf(std::uint32_t location) const {
        return lines_.lineOf(trace::LocationId(location));
    }

    const trace::Definitions& definitions_;
    const TimelineLines& lines_;
    const TimelinePicture* picture_;
    RegionName nameOf_;
    const QHash<QString, QString>& metricNames_;
    Digits digits_;
};

}  // namespace holos::gui
