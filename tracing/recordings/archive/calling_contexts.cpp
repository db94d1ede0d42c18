// SPDX-License-Identifier: BSD-3-Clause
// Calling contexts: where samples were taken, and the calls that led to events.
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_check.h"

namespace holos::archive {
namespace {

OTF2_SourceCodeLocationRef lineOf(const SampledContext& context) {
    return context.place != SampledContext::kNone ? context.place : OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
}

OTF2_CallingContextRef parentOf(const SampledContext& context) {
    return context.parent != SampledContext::kNone ? context.parent : OTF2_UNDEFINED_CALLING_CONTEXT;
}

/// Readers tell by it the functions that compilers make of constructs' bodies.
OTF2_Paradigm paradigmOf(const RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::OpenMp ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_SAMPLING;
}

}  // namespace

void DefinitionsWriter::writeCallingContexts() {
    if (hasCallPaths(plan_))
        check(OTF2_GlobalDefWriter_WriteAttribute(
                  out_, kCallPath, string("UnpredictedCallPath"),
                  string("Calling context in which the region was called. An enter without it has the "
                         "predicted one, from earlier enters of the region at this location: that which "
                         "followed when the context of the last enter occurred before; if it has not "
                         "occurred before, the same context again; for the first enter, none"),
                  OTF2_TYPE_CALLING_CONTEXT),
              "call paths");
    for (const auto& region : code_.regions()) writeRegion(region, paradigmOf(region));
    OTF2_SourceCodeLocationRef place = 0;
    for (const auto& [file, line] : code_.places())
        check(OTF2_GlobalDefWriter_WriteSourceCodeLocation(out_, place++, string(file), line),
              "a source line");
    const std::vector<std::string> orders = code_.callOrders();
    OTF2_CallingContextRef self = 0;
    for (const auto& context : code_.contexts()) {
        check(OTF2_GlobalDefWriter_WriteCallingContext(out_, self, context.region, lineOf(context),
                                                       parentOf(context)),
              "a calling context");
        OTF2_AttributeValue order;
        if (!orders[self].empty()) {
            order.stringRef = string(orders[self]);
            check(OTF2_GlobalDefWriter_WriteCallingContextProperty(out_, self, string("CallOrder"),
                                                                   OTF2_TYPE_STRING, order),
                  "the order of calls");
        }
        ++self;
    }
}

}  // namespace holos::archive
