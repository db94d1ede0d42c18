// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/value_events.h"

#include "tracing/recordings/archive/definitions/otf2_names.h"

namespace holos::archive {

using tracing::RecordKind;

const std::vector<RecordedCounter>& countersOf(const TraceProcess& process, const TraceLocation& location) {
    return location.isSamples ? process.recorded->sampled : process.recorded->counters;
}

ValueEvents::ValueEvents(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                         const TraceLocation& location)
    : out_(out), plan_(plan), process_(process), counterValues_(countersOf(process, location).size()) {
    for (const auto& counter : countersOf(process, location)) counterTypes_.push_back(typeOf(counter));
    for (const auto& metric : plan.metrics)
        metricTypes_.push_back(metric.type == tracing::MetricType::Real ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64);
}

void ValueEvents::writeCounters(OTF2_MetricRef set, const std::uint64_t* words, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) counterValues_[i].unsigned_int = words[i];
    out_.write(OTF2_EvtWriter_Metric, set, static_cast<std::uint8_t>(count), counterTypes_.data(),
               counterValues_.data());
}

void ValueEvents::translateCounters(const Record& record) {
    writeCounters(process_.counterSet, record.words, counterValues_.size());
}

void ValueEvents::translateSamples(const Record& record) {
    if (record.kind != RecordKind::Counters) return out_.drop();
    for (const std::uint32_t number : process_.samplers) {
        const TraceSampler& sampler = plan_.samplers[number];
        writeCounters(plan_.firstSampler() + number, record.words + sampler.first,
                      plan_.sampledSets[sampler.set].size());
    }
}

void ValueEvents::translateUser(const Record& record) {
    const bool isMetric = record.kind == RecordKind::MetricValue;
    const auto& numbers = isMetric ? process_.metrics : process_.parameters;
    const auto number = numbers.find(tracing::lowHalf(record.words[0]));
    if (!number) return out_.drop();
    if (isMetric) {
        OTF2_MetricValue value;
        value.unsigned_int = record.words[1];
        out_.write(OTF2_EvtWriter_Metric, plan_.firstMetric() + *number, std::uint8_t{1},
                   &metricTypes_[*number], &value);
    } else {
        out_.write(OTF2_EvtWriter_ParameterInt, *number, static_cast<std::int64_t>(record.words[1]));
    }
}

}  // namespace holos::archive
