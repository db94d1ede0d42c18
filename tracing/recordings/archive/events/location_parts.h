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
#include "tracing/recordings/archive/events/location_writer.h"
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

/// What a helper found in the events of locations: its answer to an order, in the order of the locations.
std::string reportOn(std::span<LocationPart* const> parts);

/// The report of a helper that could not do what it was asked for.
std::string reportOfFailure(const std::string& why);

/// Takes what a helper found; `code` gets what its call paths and samples met. The reason why there is
/// nothing, where the report is one of a failure. Throws `Error` where it is damaged, or of other locations.
std::string takeReport(const std::string& report, const TracePlan& plan, std::span<LocationPart* const> parts,
                       SampledCode& code);

}  // namespace holos::archive
