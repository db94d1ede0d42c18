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
#include "tracing/counters/memory_events.h"
#include "tracing/counters/memory_source.h"

namespace holos::archive {
namespace {

/// Behind the number of samples two values for each source of data, how many and their latency; then those of
/// lines that threads share.
constexpr std::size_t kSharedLine = 1 + 2 * counters::kMemorySources.size();
constexpr std::size_t kFalselySharedLine = kSharedLine + 1;
constexpr std::size_t kValuesOfMemory = kFalselySharedLine + 1;

struct ValueOfMemory {
    std::string name;
    std::string text;
    const char* unit;
};
std::vector<ValueOfMemory> valuesOfMemory() {
    std::vector<ValueOfMemory> all;
    for (const auto& [name, meaning] : counters::kMemorySources) {
        all.push_back(
            {std::string("memory_") + name, std::string("Sampled accesses to data ") + meaning, "occ"});
        all.push_back({std::string("memory_latency_") + name,
                       std::string("Sum of the latencies of sampled accesses to data ") + meaning, "cyc"});
    }
    all.push_back({"memory_shared_line",
                   "Sampled accesses to cache lines that several threads used, of which at least one wrote",
                   "occ"});
    all.push_back(
        {"memory_falsely_shared_line",
         "Sampled accesses to cache lines that several threads used, of which at least one wrote, but "
         "none of them a word that others used",
         "occ"});
    return all;
}

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
        sample_->context = code_.dataBelow(sample_->context, *process_.recorded, *access);
}

void EventTranslation::writeAccess(const SampledAccess& access, std::uint64_t weight,
                                   std::vector<OTF2_MetricValue>& values) const {
    const std::size_t place = 1 + 2 * static_cast<std::size_t>(access.kind.source);
    values[place].unsigned_int = weight;
    values[place + 1].unsigned_int = access.latency;
    if (process_.sharedLines == nullptr) return;
    const SharedLines::Use use = process_.sharedLines->of(access.address, access.block);
    if (use != SharedLines::Use::Own) values[kSharedLine].unsigned_int = weight;
    if (use == SharedLines::Use::Falsely) values[kFalselySharedLine].unsigned_int = weight;
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
    std::vector<OTF2_MetricValue> values(isOfMemory(*plan_.interrupts) ? kValuesOfMemory : std::size_t{2});
    values[0].unsigned_int = sample.weight;
    if (!isOfMemory(*plan_.interrupts)) {
        values[1].unsigned_int = sample.weight * plan_.interrupts->period;
    } else if (sample.access) {
        writeAccess(*sample.access, sample.weight, values);
    }
    const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_UINT64);
    const OTF2_ErrorCode result =
        OTF2_EvtWriter_Metric(out_, attributes, now(), plan_.callStacks(),
                              static_cast<std::uint8_t>(values.size()), types.data(), values.data());
    OTF2_AttributeList_Delete(attributes);
    check(result, "an event");
}

}  // namespace holos::archive
