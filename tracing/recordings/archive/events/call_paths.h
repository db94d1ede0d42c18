// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>

#include "base/context_prediction.h"
#include "tracing/recordings/archive/events/location_contexts.h"
#include "tracing/recordings/archive/events/location_writer.h"

namespace holos::archive {

/// The call paths of one location's events, as attributes: a calling context where it is not the expected
/// one.
class CallPathAttributes {
  public:
    explicit CallPathAttributes(LocationContexts& contexts);

    /// Of a path of the process, by the location's numbers.
    std::uint32_t contextOf(std::uint32_t path) { return contexts_.ofPath(path); }

    /// For the enter of a region of the trace by a path of the process; null where there is nothing to say.
    /// To be written before the next call.
    OTF2_AttributeList* attributesOf(std::uint32_t region, std::uint32_t path);

  private:
    LocationContexts& contexts_;
    Attributes list_;
    ContextPrediction prediction_;
};

}  // namespace holos::archive
