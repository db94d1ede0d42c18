// SPDX-License-Identifier: BSD-3-Clause
// Samples of the call stack: definitions and records of them.
//
// OTF2's own events for samples exclude enter and leave events from a trace (OTF2_EvtWriter.h,
// CallingContextSample). So a sample is an event of a metric, which says how many samples it stands for and
// how much of what they are taken by, and an attribute of that event is its calling context.
#include <algorithm>
#include <utility>
#include <vector>

#include "tracing/archive/definitions_writer.h"
#include "tracing/archive/event_translation.h"
#include "tracing/archive/otf2_check.h"
#include "tracing/core/memory_source.h"
#include "tracing/counters/memory_events.h"

namespace holos::archive {
namespace {

/// Two metrics for each source of data: how many, and their latency.
bool isOfMemory(const RecordedInterrupts& interrupts) {
    return interrupts.name == counters::kMemoryAccesses;
}

}  // namespace

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
        for (const auto& [name, meaning] : tracing::kMemorySources) {
            members.push_back(member("memory_" + std::string(name),
                                     "Sampled accesses to data " + std::string(meaning), "occ", 0));
            members.push_back(
                member("memory_latency_" + std::string(name),
                       "Sum of the latencies of sampled accesses to data " + std::string(meaning), "cyc", 0));
        }
    check(OTF2_GlobalDefWriter_WriteMetricClass(out_, plan_.callStacks(),
                                                static_cast<std::uint8_t>(members.size()), members.data(),
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
                     code_.contextOf(*process_.recorded, {record.words + 2, addresses}, files),
                     std::exchange(access_, std::nullopt)};
    if (const auto& access = sample_->access)
        sample_->context =
            code_.dataBelow(sample_->context, *process_.recorded, access->address, access->part);
}

void EventTranslation::keepAccess(const Record& record) {
    const std::uint32_t bits = tracing::highHalf(record.words[1]);
    access_ = Access{record.words[0], tracing::lowHalf(record.words[1]), tracing::sourceIn(bits),
                     tracing::partIn(bits)};
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
    std::vector<OTF2_MetricValue> values(
        1 + (isOfMemory(*plan_.interrupts) ? 2 * tracing::kMemorySources.size() : 1));
    values[0].unsigned_int = sample.weight;
    if (!isOfMemory(*plan_.interrupts)) {
        values[1].unsigned_int = sample.weight * plan_.interrupts->period;
    } else if (sample.access) {
        const std::size_t place = 1 + 2 * static_cast<std::size_t>(sample.access->source);
        values[place].unsigned_int = sample.weight;
        values[place + 1].unsigned_int = sample.access->latency;
    }
    const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_UINT64);
    const OTF2_ErrorCode result =
        OTF2_EvtWriter_Metric(out_, attributes, now(), plan_.callStacks(),
                              static_cast<std::uint8_t>(values.size()), types.data(), values.data());
    OTF2_AttributeList_Delete(attributes);
    check(result, "an event");
}

}  // namespace holos::archive
