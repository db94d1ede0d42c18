// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/run_profile.h"
#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_result.h"
#include "tracing/recordings/archive/events/partners.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"

namespace holos::archive {

/// One location on its way into the trace.
struct LocationPart {
    TraceProcess* process;
    TraceLocation* location;
    RecordedExtent extent = {};   ///< of the process, once it is being written
    std::uint64_t lastAdded = 0;  ///< ticks of the last event that the process has added up
    LocationResult done = {};
    LocationProfile profile = {};
    bool isProfileDamaged = false;
    std::vector<MetContext> contexts = {};  ///< by the numbers that its events have
    std::vector<MetInstruction> instructions = {};
};

/// Of all processes of a trace, in its order.
std::vector<LocationPart> partsOf(TracePlan& plan);

/// Writes the events of locations, each by itself. They have nothing to do with each other, and what becomes
/// of one does not depend on which others are translated here, or when.
class PartsTranslation {
  public:
    /// `code` gets what call paths and samples met. `beforeEach`: that of `Conversion`.
    PartsTranslation(TracePlan& plan, const Timeline& timeline, SampledCode& code,
                     std::function<void()> beforeEach);

    /// As many at a time as there are processors.
    void write(OTF2_Archive* archive, std::span<LocationPart* const> parts);

    /// What was left out as it has no partner, in a sentence; empty where all has one.
    std::string noteOfPartners() const { return alone_.note(); }

  private:
    void lookAtProcess(std::span<LocationPart* const> parts) const;
    void translate(OTF2_Archive* archive, LocationPart& part) const;
    void translateProfile(LocationPart& part, LocationContexts& contexts) const;

    TracePlan& plan_;
    const Timeline& timeline_;
    SampledCode& code_;
    std::function<void()> beforeEach_;
    WithoutPartner alone_;
};

}  // namespace holos::archive
