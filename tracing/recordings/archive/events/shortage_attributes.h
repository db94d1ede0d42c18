// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>

#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {

/// For how long a location's thread was off its processors, as attributes of the next enter or leave, or the
/// next event of a team or a task:
///
///     recorded    ┤E├──────┤shortage├┤message├──┤L├        of the call around the message
///     trace       ┤E├────────────────┤message├──┤L├ WithoutProcessor
///
/// One that comes before the first or the last event of a thread is left out.
class ShortageAttributes {
  public:
    explicit ShortageAttributes(const TracePlan& plan) : plan_(plan) {}

    void add(const Record& record);
    /// The location does something else now.
    void forget() { without_ = asleepOrWithout_ = 0; }

    /// What the next such event has, with these; valid until the next call.
    OTF2_AttributeList* with(OTF2_AttributeList* attributes);
    /// Nanoseconds in which it could run, as all events together tell.
    std::uint64_t written() const { return written_; }

  private:
    const TracePlan& plan_;
    std::uint64_t without_ = 0;          ///< nanoseconds in which it could run
    std::uint64_t asleepOrWithout_ = 0;  ///< nanoseconds of which that is not known
    std::uint64_t written_ = 0;
    Attributes own_;
};

}  // namespace holos::archive
