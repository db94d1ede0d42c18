// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "base/context_prediction.h"
#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/plan.h"

namespace holos::archive {

/// The calling contexts of the call paths of a process; each is looked for once.
class PathContexts {
  public:
    PathContexts(const TraceProcess& process, SampledCode& code);
    /// `SampledContext::kNone` where no calls are known.
    std::uint32_t of(std::uint32_t path);

  private:
    const RecordedProcess* process_;
    SampledCode& code_;
    std::vector<std::uint32_t> contexts_;  ///< by path
};

/// The call paths of one location's events, as attributes: a calling context where it is not the expected
/// one.
class CallPathAttributes {
  public:
    CallPathAttributes(const TraceProcess& process, SampledCode& code);

    /// Of a path of the process.
    std::uint32_t contextOf(std::uint32_t path) { return contexts_.of(path); }

    /// For the enter of a region of the trace by a path of the process; null where there is nothing to say.
    /// To be written before the next call.
    OTF2_AttributeList* attributesOf(std::uint32_t region, std::uint32_t path);

  private:
    PathContexts contexts_;
    Attributes list_;
    ContextPrediction prediction_;
};

}  // namespace holos::archive
