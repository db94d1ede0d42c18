// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/sample_events.h"

#include <algorithm>
#include <utility>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/memory_values.h"
#include "tracing/recordings/archive/events/location_writer.h"

namespace holos::archive {

void SampleEvents::keep(const Record& record) {
    if (!plan_.interrupts || process_.recorded->interrupts != plan_.interrupts) return out_.drop();
    const std::uint32_t addresses = tracing::lowHalf(record.words[0]);
    const auto files = static_cast<std::size_t>(record.words[1]);
    const auto access = std::exchange(access_, std::nullopt);
    MetSample met{{record.words + 2, record.words + 2 + addresses}, files, access};
    const std::uint64_t weight = tracing::highHalf(record.words[0]);
    contexts_.count(met, weight);
    const std::uint32_t context = contexts_.ofSample(std::move(met));
    sample_ = Sample{out_.nanoseconds(record.ticks), weight, context, access};
}

void SampleEvents::addAccess(const SampledAccess& access, std::uint64_t weight,
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
void SampleEvents::write(std::int64_t latest) {
    if (!sample_) return;
    const Sample sample = *std::exchange(sample_, std::nullopt);
    out_.passToNanoseconds(std::min(sample.time, latest));
    const Attributes attributes = newAttributes();
    if (sample.context != SampledContext::kNone)
        OTF2_AttributeList_AddCallingContextRef(attributes.get(), DefinitionsWriter::sampledContext(plan_),
                                                sample.context);
    const bool ofMemory = isOfMemory(*plan_.interrupts);
    std::vector<OTF2_MetricValue> values(ofMemory ? kValuesOfMemory : std::size_t{2});
    values[0].unsigned_int = sample.weight;
    if (!ofMemory) {
        values[1].unsigned_int = sample.weight * plan_.interrupts->period;
    } else if (sample.access) {
        addAccess(*sample.access, sample.weight, values);
    }
    const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_UINT64);
    out_.writeWith(attributes.get(), OTF2_EvtWriter_Metric, plan_.callStacks(),
                   static_cast<std::uint8_t>(values.size()), types.data(), values.data());
}

}  // namespace holos::archive
