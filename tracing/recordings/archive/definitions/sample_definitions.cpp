// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack, and polls: definitions of what they say (see events/sample_events.h). Calling
// contexts: where samples were taken, and the calls that led to events.
#include <string>
#include <vector>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/memory_values.h"
#include "tracing/recordings/archive/definitions/otf2_check.h"

namespace holos::archive {

void DefinitionsWriter::writeSamples() {
    if (!plan_.interrupts) return;
    const auto& [event, period, isTime] = *plan_.interrupts;
    constexpr std::int64_t kNano = -9;
    constexpr std::uint64_t kMillisecond = 1'000'000;
    const bool isWhole = period % kMillisecond == 0;
    const std::string time =
        isWhole ? std::to_string(period / kMillisecond) + " ms" : std::to_string(period) + " ns";
    const std::string every = isTime ? time : std::to_string(period) + ' ' + event;
    const auto member = [&](const std::string& name, const std::string& text, const char* unit,
                            std::int64_t exponent) {
        check(OTF2_GlobalDefWriter_WriteMetricMember(
                  out_, nextMember_, string(name), string(text), OTF2_METRIC_TYPE_OTHER,
                  OTF2_METRIC_ACCUMULATED_LAST, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, exponent, string(unit)),
              "samples");
        return nextMember_++;
    };
    std::vector<OTF2_MetricMemberRef> members;
    members.push_back(member("samples", "Samples of the call stack, one every " + every, "occ", 0));
    if (isTime)
        members.push_back(member("sampled_time", "Processor time by samples: an estimate", "sec", kNano));
    else if (!isOfMemory(*plan_.interrupts))
        members.push_back(member("sampled_" + event, event + " by samples: an estimate", "occ", 0));
    else
        for (const auto& [name, text, unit] : valuesOfMemory())
            members.push_back(member(name, text, unit, 0));
    check(OTF2_GlobalDefWriter_WriteMetricClass(out_, plan_.callStacks(),
                                                static_cast<std::uint8_t>(members.size()), members.data(),
                                                OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU),
          "samples");
    check(
        OTF2_GlobalDefWriter_WriteAttribute(out_, sampledContext(plan_), string("CallingContext"),
                                            string("Where the sample was taken"), OTF2_TYPE_CALLING_CONTEXT),
        "samples");
}

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

void DefinitionsWriter::writePolls() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "polls");
    };
    add(polls(plan_), "Calls",
        "Number of calls, from the same place and directly one after the other, that this one stands for; "
        "its time is the sum of theirs");
    add(polls(plan_) + 1, "CallsSpan", "Time from the enter of the first of them to the leave of the last");
}

}  // namespace holos::archive
