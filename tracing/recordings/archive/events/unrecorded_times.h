// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>

#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/events/open_regions.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Marks the times in a location of which nothing was recorded: it was switched off, events were overwritten,
/// or their file was full.
class UnrecordedTimes {
  public:
    UnrecordedTimes(LocationWriter& out, OpenRegions& open, const RecordedProcess& process)
        : out_(out), open_(open), process_(process) {}

    /// The location itself was switched off or on.
    void switchOwn(bool on) { write(on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF); }
    /// The process was switched off and on, up to that moment.
    void switchUpTo(std::uint64_t ticks) {
        if (next_ < process_.switches.size()) switchOn(ticks);
    }
    /// The process was switched off and on, up to its end.
    void switchToEnd();
    /// What happened to the process before the location was there.
    void passSwitches(std::uint64_t ticks);
    /// From now to that moment.
    void mark(std::uint64_t ticks);

  private:
    void switchOn(std::uint64_t ticks);
    void write(OTF2_MeasurementMode mode) { out_.write(OTF2_EvtWriter_MeasurementOnOff, mode); }

    LocationWriter& out_;
    OpenRegions& open_;
    const RecordedProcess& process_;
    std::size_t next_ = 0;  ///< of the process's switches
};

}  // namespace holos::archive
