// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "base/run_profile.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

/// What one location has added up, in the names of the trace.
class ProfileTranslation {
  public:
    /// `contexts` gets what call paths met.
    ProfileTranslation(const TracePlan& plan, const TraceProcess& process, const TraceLocation& location,
                       const HostClock& clock, LocationContexts& contexts);

    /// `lastOfProcess`: ticks of the last event of all of the process's locations.
    LocationProfile run(std::uint64_t lastOfProcess);

    const ProfileCells& cells() const { return cells_; }
    /// After `run`: as if its events had been translated, but for their number.
    const LocationResult& result() const { return result_; }

  private:
    ProfiledPath translate(const ProfileCells::Counted<tracing::profile::Node>& node);
    ProfiledWay translate(const ProfileCells::Counted<tracing::profile::Way>& way) const;
    void extend(ProfiledPath& root, ProfiledPath& current, std::uint64_t lastOfProcess);
    void addUnknownTime(LocationProfile& profile);
    void noteOpen();
    std::int64_t duration(std::uint64_t ticks) const;
    std::uint64_t locationId(std::uint32_t ref) const;

    const TracePlan& plan_;
    const TraceProcess& process_;
    const TraceLocation& location_;
    const HostClock& clock_;
    bool isMaster_;
    ProfileCells cells_;
    LocationContexts& contexts_;
    LocationResult result_;
};

}  // namespace holos::archive
