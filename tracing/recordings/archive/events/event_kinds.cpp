// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/event_kinds.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/memory_values.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/events/location_writer.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;

void RegionEvents::translate(const Record& record) {
    const auto region = process_.regions.find(lowHalf(record.words[0]));
    if (region == TracePlan::kFilteredOut) return open_.forgetFile();
    if (!region)
        out_.drop();
    else if (record.kind == tracing::RecordKind::Enter)
        enter(*region, highHalf(record.words[0]));
    else
        leave(*region);
}

void RegionEvents::enter(std::uint32_t region, std::uint32_t path) {
    last_ = {region, callPaths_.contextOf(path)};
    open_.enter(region, callPaths_.attributesOf(region, path));
}

void RegionEvents::leave(std::uint32_t region) {
    if (last_) last_->isOpen = false;
    open_.leave(region);
}

/// Enters a region that stands for several calls, between which the record's time passed.
void RegionEvents::enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number,
                                const Record& record) {
    last_ = {region, callPaths_.contextOf(path), false};
    OTF2_AttributeList* attributes = callPaths_.attributesOf(region, path);
    const Attributes own = attributes == nullptr && number > 1 ? newAttributes() : nullptr;
    if (own) attributes = own.get();
    if (number > 1) {
        const auto span = out_.nanoseconds(record.ended) - out_.nanoseconds(record.began);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_), number);
        OTF2_AttributeList_AddUint64(attributes, DefinitionsWriter::polls(plan_) + 1,
                                     static_cast<std::uint64_t>(span));
        havePolls_ = true;
    }
    out_.writeWith(open_.shortage().with(attributes), OTF2_EvtWriter_Enter, region);
}

void RegionEvents::translatePolls(const Record& record) {
    const auto word = [&record](tracing::PollsWord one) { return record.words[one - 1]; };
    const auto region = process_.regions.find(lowHalf(word(tracing::kPollsRegion)));
    if (region == TracePlan::kFilteredOut) return;
    if (!region) return out_.drop();
    enterSeveral(*region, highHalf(word(tracing::kPollsRegion)), word(tracing::kPollsNumber), record);
    out_.passTo(record.ended);
    out_.write(OTF2_EvtWriter_Leave, *region);
}

void RegionEvents::translateSections(const Record& record) {
    const auto word = [&record](tracing::SectionsWord one) { return record.words[one - 1]; };
    const std::uint64_t number = word(tracing::kSectionsNumber);
    const auto inside = [&](tracing::SectionsWord place, auto&& between) {
        const auto region = process_.regions.find(lowHalf(word(place)));
        const bool isThere = region && region != TracePlan::kFilteredOut;
        if (!region) out_.drop();
        if (isThere) enterSeveral(*region, highHalf(word(place)), number, record);
        between();
        if (isThere) out_.write(OTF2_EvtWriter_Leave, *region);
    };
    const std::uint64_t blocksEnd =
        record.ended - std::min(record.ended - record.ticks, word(tracing::kSectionsLeaving));
    const std::uint64_t blocksBegin =
        blocksEnd - std::min(blocksEnd - record.ticks, word(tracing::kSectionsInside));
    inside(tracing::kSectionsRegion, [&] {
        out_.passTo(blocksBegin);
        if (word(tracing::kSectionsBlock) != 0)
            inside(tracing::kSectionsBlock, [&] { out_.passTo(blocksEnd); });
        out_.passTo(record.ended);
    });
}

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

namespace {

constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

}  // namespace

/// All threads were switched off and on together. What a thread recorded while it was switched off belongs
/// before that: so a switch off is written with the one that follows it, or at the end of the program.
void UnrecordedTimes::switchOn(std::uint64_t ticks) {
    const auto& all = process_.switches;
    for (std::size_t i = next_; i < all.size() && all[i].ticks <= ticks; ++i) {
        if (!all[i].isOn && ticks != kEnd) continue;
        if (!all[i].isOn) {  // what was open then ended unrecorded
            out_.passTo(all[i].ticks);
            open_.leaveAll();
        }
        for (; next_ <= i; ++next_) {
            out_.passTo(all[next_].ticks);
            switchOwn(all[next_].isOn);
        }
    }
}

void UnrecordedTimes::switchToEnd() {
    switchUpTo(kEnd);
}

void UnrecordedTimes::passSwitches(std::uint64_t ticks) {
    const auto& all = process_.switches;
    for (std::size_t i = 0; i < all.size() && all[i].ticks <= ticks; ++i)
        if (all[i].isOn) next_ = i + 1;
}

void UnrecordedTimes::mark(std::uint64_t ticks) {
    write(OTF2_MEASUREMENT_OFF);
    out_.passTo(ticks);
    write(OTF2_MEASUREMENT_ON);
}

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
