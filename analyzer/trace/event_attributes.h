// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "analyzer/trace/definitions.h"
#include "base/context_prediction.h"

namespace holos::analyzer::trace {

/// What the attributes of an event say, which may be null where it has none.

struct AttributeValue {
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue value{};
};

/// Nothing where the event lacks the attribute, or the trace does.
inline std::optional<AttributeValue> attributeIn(const OTF2_AttributeList* attributes,
                                                 std::optional<OTF2_AttributeRef> name) {
    if (attributes == nullptr || !name || !OTF2_AttributeList_TestAttributeByID(attributes, *name))
        return std::nullopt;
    AttributeValue found;
    OTF2_AttributeList_GetAttributeByID(attributes, *name, &found.type, &found.value);
    return found;
}

inline std::optional<std::uint64_t> numberIn(const OTF2_AttributeList* attributes,
                                             std::optional<OTF2_AttributeRef> name) {
    const auto found = attributeIn(attributes, name);
    return found && found->type == OTF2_TYPE_UINT64 ? std::optional(found->value.uint64) : std::nullopt;
}

/// Where a sample of the call stack was taken.
inline std::optional<ContextId> contextIn(const OTF2_AttributeList* attributes,
                                          const Definitions& definitions) {
    const std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (std::uint32_t at = 0; at < count; ++at) {
        OTF2_AttributeRef attribute = 0;
        AttributeValue found;
        OTF2_AttributeList_GetAttributeByIndex(attributes, at, &attribute, &found.type, &found.value);
        if (found.type == OTF2_TYPE_CALLING_CONTEXT)
            return definitions.callingContextOf.find(found.value.callingContextRef);
    }
    return std::nullopt;
}

/// A time that an attribute tells.
inline Ticks ticksOfNanoseconds(std::uint64_t nanoseconds, const Definitions& definitions) {
    constexpr double kPerSecond = 1e9;
    constexpr double kMost = 1e18;  // of what a damaged one says
    const double seconds = static_cast<double>(nanoseconds) / kPerSecond;
    return static_cast<Ticks>(
        std::min(kMost, seconds * static_cast<double>(definitions.clock.ticksPerSecond)));
}

/// From where the regions of one location are entered, as `Definitions` says of the attribute: an event that
/// lacks it means the expected place.
/// Thread safety: one thread for each location.
class EnterPaths {
  public:
    explicit EnterPaths(const Definitions& definitions) : definitions_(definitions) {}

    /// For each enter, in their order. `known`: gives the place of a reference that an event names.
    template <class Known>
    ContextId of(OTF2_RegionRef region, const OTF2_AttributeList* attributes, Known&& known) {
        const bool isPredicted = definitions_.arePathsPredicted;
        const auto told = attributeIn(attributes, definitions_.attributeOfCallPaths);
        if (!told && !isPredicted) return last_.findOr(region, kNoContext);
        const OTF2_CallingContextRef path = told ? toldIn(*told) : prediction_.expected(region);
        if (isPredicted) prediction_.follow(region, path);
        ContextId found = kNoContext;
        if (path != ContextPrediction::kNone)
            found = told ? known(path) : definitions_.callingContextOf.findOr(path, kNoContext);
        if (!isPredicted) last_.add(region, found);
        return found;
    }

    /// Nobody ever knows from where this region is entered.
    bool areNeverKnown(OTF2_RegionRef region) const { return prediction_.isNeverKnown(region); }

  private:
    static_assert(ContextPrediction::kNone == OTF2_UNDEFINED_CALLING_CONTEXT);
    static OTF2_CallingContextRef toldIn(const AttributeValue& told) {
        return told.type == OTF2_TYPE_CALLING_CONTEXT ? told.value.callingContextRef
                                                      : OTF2_UNDEFINED_CALLING_CONTEXT;
    }

    const Definitions& definitions_;
    ContextPrediction prediction_;
    References<ContextId> last_;  ///< by region, where paths are not predicted
};

}  // namespace holos::analyzer::trace
