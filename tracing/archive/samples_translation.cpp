// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack: definitions and records of them.
//
// OTF2's own events for samples exclude enter and leave events from a trace (OTF2_EvtWriter.h,
// CallingContextSample). So a sample is an event of a metric, which says how many samples it stands for and
// how much of what they are taken by, and an attribute of that event is its calling context.
#include <algorithm>

#include "tracing/archive/definitions_writer.h"
#include "tracing/archive/event_translation.h"
#include "tracing/archive/otf2_check.h"

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
    const OTF2_MetricMemberRef members[] = {
        member("samples", "Samples of the call stack, one every " + every, "occ", 0),
        isTime ? member("sampled_time", "Processor time by samples: an estimate", "sec", kNano)
               : member("sampled_" + event, event + " by samples: an estimate", "occ", 0)};
    check(OTF2_GlobalDefWriter_WriteMetricClass(out_, plan_.callStacks(), std::size(members), members,
                                                OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU),
          "samples");
    check(
        OTF2_GlobalDefWriter_WriteAttribute(out_, sampledContext(plan_), string("CallingContext"),
                                            string("Where the sample was taken"), OTF2_TYPE_CALLING_CONTEXT),
        "samples");
}

void EventTranslation::keepSample(const Record& record) {
    if (!plan_.interrupts || process_.recorded->interrupts != plan_.interrupts) {
        ++result_.dropped;
        return;
    }
    const std::uint32_t addresses = tracing::lowHalf(record.words[0]);
    const auto files = static_cast<std::size_t>(record.words[1]);
    sample_ = Sample{clock_.nanoseconds(record.ticks), tracing::highHalf(record.words[0]),
                     code_.contextOf(*process_.recorded, {record.words + 2, addresses}, files)};
}

/// Some events carry a time from before they were written, and a sample can lie in between: it gives way, so
/// that the times of regions are what they would be without samples.
void EventTranslation::writeSample(std::int64_t latest) {
    if (!sample_) return;
    const Sample sample = *sample_;
    sample_.reset();
    result_.last = std::max(result_.last, std::min(sample.time, latest));
    OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
    if (sample.context != SampledContext::kNone)
        OTF2_AttributeList_AddCallingContextRef(attributes, DefinitionsWriter::sampledContext(plan_),
                                                sample.context);
    constexpr OTF2_Type kTypes[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
    OTF2_MetricValue values[2];
    values[0].unsigned_int = sample.weight;
    values[1].unsigned_int = sample.weight * plan_.interrupts->period;
    const OTF2_ErrorCode result =
        OTF2_EvtWriter_Metric(out_, attributes, now(), plan_.callStacks(), 2, kTypes, values);
    OTF2_AttributeList_Delete(attributes);
    check(result, "an event");
}

}  // namespace holos::archive
