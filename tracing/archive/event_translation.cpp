// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/event_translation.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "tracing/archive/counter_type.h"
#include "tracing/archive/otf2_check.h"
#include "tracing/archive/otf2_names.h"
#include "tracing/archive/settled_events.h"

namespace holos::archive {
namespace {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordGroup;
using tracing::RecordKind;

/// The values of one record of counters.
const std::vector<RecordedCounter>& countersOf(const TraceProcess& process, const TraceLocation& location) {
    return location.isSamples ? process.recorded->sampled : process.recorded->counters;
}

}  // namespace

EventFile eventsOf(const TraceProcess& process, const TraceLocation& location) {
    const RecordedProcess& recorded = *process.recorded;
    return {recorded.eventFile(), recorded.chunksOf(location.ref), countersOf(process, location).size(),
            recorded.syncs.front().ticks};
}

EventTranslation::EventTranslation(OTF2_EvtWriter* out, const TracePlan& plan, const TraceProcess& process,
                                   const TraceLocation& location, const HostClock& clock,
                                   const RecordedExtent& extent, SampledCode& code)
    : out_(out),
      plan_(plan),
      process_(process),
      location_(location),
      clock_(clock),
      counterValues_(countersOf(process, location).size()),
      extent_(extent),
      code_(code),
      callPaths_(process, code) {
    for (const auto& counter : countersOf(process, location)) counterTypes_.push_back(typeOf(counter));
    for (const auto& metric : plan.metrics)
        metricTypes_.push_back(metric.type == tracing::MetricType::Real ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64);
    result_.first = result_.last = clock.nanoseconds(process.recorded->syncs.front().ticks);
}

LocationResult EventTranslation::run(bool isMaster, std::uint32_t programName) {
    if (isMaster) programBegin(programName);
    SettledEvents events(eventsOf(process_, location_));
    while (const auto record = events.next()) {
        writeSample(clock_.nanoseconds(record->ticks));
        result_.processors.advance(record->ticks);
        if (record->kind == RecordKind::Processor) {
            result_.processors.add(lowHalf(record->words[0]));
            continue;
        }
        if (record->kind == RecordKind::Sample) {
            keepSample(*record);
            continue;
        }
        if (record->kind == RecordKind::MemoryAccess) {
            access_ = accessIn(*record);
            continue;
        }
        if (result_.events == 0 && isMaster && events.file().isCut())
            passOverwritten(record->ticks);
        else if (result_.events == 0 && !isMaster)
            passSwitches(record->ticks);
        else
            switchUpTo(record->ticks);
        const OTF2_TimeStamp time = timeOf(record->ticks);
        if (result_.events++ == 0 && !isMaster) result_.first = static_cast<std::int64_t>(time);
        translate(*record);
        goesOn_ = record->kind != RecordKind::ThreadEnd && record->kind != RecordKind::MeasurementOff;
    }
    writeSample(std::numeric_limits<std::int64_t>::max());
    if (isMaster) switchUpTo(std::numeric_limits<std::uint64_t>::max());
    if (process_.recorded->stop) timeOf(*process_.recorded->stop);
    noteOpen();
    writeUnrecordedEnd(events.file());
    if (extent_.end && goesOn_ && !(result_.open.empty() && teams_.empty())) timeOf(*extent_.end);
    leaveAll();
    if (isMaster) programEnd();
    result_.damaged = events.file().damaged();
    result_.isCut = events.file().isCut();
    check(OTF2_EvtWriter_GetNumberOfEvents(out_, &result_.events), "the number of events");
    return result_;
}

/// All threads were switched off and on together. What a thread recorded while it was switched off belongs
/// before that: so a switch off is written with the one that follows it, or at the end of the program.
void EventTranslation::switchUpTo(std::uint64_t ticks) {
    const auto& all = process_.recorded->switches;
    const bool isEnd = ticks == std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = nextSwitch_; i < all.size() && all[i].ticks <= ticks; ++i) {
        if (!all[i].isOn && !isEnd) continue;
        if (!all[i].isOn) {  // what was open then ended unrecorded
            timeOf(all[i].ticks);
            leaveAll();
        }
        while (nextSwitch_ <= i) writeSwitch(all[nextSwitch_++]);
    }
}

/// What happened to the process before the thread was there.
void EventTranslation::passSwitches(std::uint64_t ticks) {
    const auto& all = process_.recorded->switches;
    for (std::size_t i = 0; i < all.size() && all[i].ticks <= ticks; ++i)
        if (all[i].isOn) nextSwitch_ = i + 1;
}

void EventTranslation::writeSwitch(const RecordedSwitch& one) {
    timeOf(one.ticks);
    writeMode(one.isOn ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

void EventTranslation::writeMode(OTF2_MeasurementMode mode) {
    check(OTF2_EvtWriter_MeasurementOnOff(out_, nullptr, now(), mode), "an event");
}

/// The program has run since its start, but what it did until its first event here was overwritten.
void EventTranslation::passOverwritten(std::uint64_t first) {
    passSwitches(first);
    writeMode(OTF2_MEASUREMENT_OFF);
    timeOf(first);
    writeMode(OTF2_MEASUREMENT_ON);
}

/// Behind its last event the thread went on, and nobody knows with what.
void EventTranslation::writeUnrecordedEnd(const EventFile& file) {
    const bool hasStopped = extent_.allStopped || file.isFull();
    if (!extent_.endOfUnrecorded || !hasStopped || !goesOn_ || location_.isSamples) return;
    writeMode(OTF2_MEASUREMENT_OFF);
    timeOf(*extent_.endOfUnrecorded);
    writeMode(OTF2_MEASUREMENT_ON);
}

OTF2_TimeStamp EventTranslation::timeOf(std::uint64_t ticks) {
    result_.last = std::max(result_.last, clock_.nanoseconds(ticks));
    return now();
}

void EventTranslation::programBegin(std::uint32_t programName) {
    check(OTF2_EvtWriter_ProgramBegin(out_, nullptr, now(), programName, 0, nullptr), "an event");
}

/// The last pair of clock values was taken at the program's orderly end; a program that was killed went on
/// while its threads did. Of a recording that was to stop earlier, the program ends there.
void EventTranslation::programEnd() {
    if (!process_.recorded->stop && process_.recorded->status.ended != 0)
        timeOf(process_.recorded->syncs.back().ticks);
    else if (extent_.end && goesOn_)
        timeOf(*extent_.end);
    check(OTF2_EvtWriter_ProgramEnd(out_, nullptr, now(), OTF2_UNDEFINED_INT64), "an event");
}

void EventTranslation::enter(std::uint32_t region, std::uint32_t path) {
    check(OTF2_EvtWriter_Enter(out_, callPaths_.attributesOf(region, path), now(), region), "an event");
    open_.push_back(region);
}

/// A leave closes what is open above its region; one without its enter is dropped.
void EventTranslation::leave(std::uint32_t region) {
    if (std::find(open_.rbegin(), open_.rend(), region) == open_.rend()) {
        ++result_.dropped;
        return;
    }
    for (bool found = false; !found;) {
        const std::uint32_t innermost = open_.back();
        open_.pop_back();
        found = innermost == region;
        if (const auto file = std::exchange(together_, std::nullopt))
            leaveCollective(innermost, *file);
        else
            check(OTF2_EvtWriter_Leave(out_, nullptr, now(), innermost), "an event");
    }
}

/// Those of the thread's own share around those of a task that it works on.
void EventTranslation::noteOpen() {
    if (present_ != kOwnShare) result_.open = suspended_[kOwnShare];
    result_.open.insert(result_.open.end(), open_.begin(), open_.end());
}

void EventTranslation::translate(const Record& record) {
    if (record.kind == RecordKind::BufferFlush) return translateFlush(record);
    if (location_.isSamples) return translateSamples(record);
    switch (tracing::groupOf(record.kind)) {
        case RecordGroup::Region:
            if (!tracing::mayChange(record.kind)) return translateRegion(record);
            return record.kind == RecordKind::Polls ? translatePolls(record) : translateSections(record);
        case RecordGroup::Counters:
            return translateCounters(record);
        case RecordGroup::User:
            return translateUser(record);
        case RecordGroup::Mpi:
            return translateMpi(record);
        case RecordGroup::Rma:
            return translateRma(record);
        case RecordGroup::File:
            return translateFiles(record);
        case RecordGroup::Team:
            return translateTeams(record);
        case RecordGroup::Lock:
            return translateLocks(record);
        case RecordGroup::Life:
            return translateLives(record);
        case RecordGroup::Task:
            return translateTasks(record);
        case RecordGroup::Recorder:
        case RecordGroup::MpiFailure:
            ++result_.dropped;
    }
}

void EventTranslation::translateRegion(const Record& record) {
    const auto region = process_.regions.find(lowHalf(record.words[0]));
    if (region == TracePlan::kFilteredOut) return together_.reset();
    if (!region)
        ++result_.dropped;
    else if (record.kind == RecordKind::Enter)
        enter(*region, highHalf(record.words[0]));
    else
        leave(*region);
}

void EventTranslation::writeCounters(OTF2_MetricRef set, const std::uint64_t* words, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) counterValues_[i].unsigned_int = words[i];
    check(OTF2_EvtWriter_Metric(out_, nullptr, now(), set, static_cast<std::uint8_t>(count),
                                counterTypes_.data(), counterValues_.data()),
          "an event");
}

/// The events before and after have other times than its start and end: Scalasca takes those with equal ones
/// to be within it. So much apart that they stay so when clocks are corrected.
void EventTranslation::translateFlush(const Record& record) {
    constexpr std::int64_t kApart = 2;
    result_.last += kApart;
    const OTF2_TimeStamp begin = now();
    const OTF2_TimeStamp end = timeOf(record.words[0]);
    check(OTF2_EvtWriter_BufferFlush(out_, nullptr, begin, end), "an event");
    result_.last += kApart;
}

void EventTranslation::translateCounters(const Record& record) {
    writeCounters(process_.counterSet, record.words, counterValues_.size());
}

void EventTranslation::translateSamples(const Record& record) {
    if (record.kind != RecordKind::Counters) {
        ++result_.dropped;
        return;
    }
    for (const std::uint32_t number : process_.samplers) {
        const TraceSampler& sampler = plan_.samplers[number];
        writeCounters(plan_.firstSampler() + number, record.words + sampler.first,
                      plan_.sampledSets[sampler.set].size());
    }
}

void EventTranslation::translateUser(const Record& record) {
    if (record.kind == RecordKind::MeasurementOff) return writeMode(OTF2_MEASUREMENT_OFF);
    if (record.kind == RecordKind::MeasurementOn) return writeMode(OTF2_MEASUREMENT_ON);
    const bool isMetric = record.kind == RecordKind::MetricValue;
    const auto& numbers = isMetric ? process_.metrics : process_.parameters;
    const auto number = numbers.find(lowHalf(record.words[0]));
    if (!number) {
        ++result_.dropped;
    } else if (isMetric) {
        OTF2_MetricValue value;
        value.unsigned_int = record.words[1];
        check(OTF2_EvtWriter_Metric(out_, nullptr, now(), plan_.firstMetric() + *number, 1,
                                    &metricTypes_[*number], &value),
              "an event");
    } else {
        check(OTF2_EvtWriter_ParameterInt(out_, nullptr, now(), *number,
                                          static_cast<std::int64_t>(record.words[1])),
              "an event");
    }
}

void EventTranslation::translateMpi(const Record& record) {
    const std::uint64_t* words = record.words;
    const auto request = [&](auto write) { check(write(out_, nullptr, now(), words[0]), "an event"); };
    switch (record.kind) {
        case RecordKind::MpiIsendComplete:
            return request(OTF2_EvtWriter_MpiIsendComplete);
        case RecordKind::MpiIrecvRequest:
            return request(OTF2_EvtWriter_MpiIrecvRequest);
        case RecordKind::MpiRequestTest:
            return request(OTF2_EvtWriter_MpiRequestTest);
        case RecordKind::MpiRequestCancelled:
            return request(OTF2_EvtWriter_MpiRequestCancelled);
        case RecordKind::MpiCollectiveRequest:
            return request(OTF2_EvtWriter_NonBlockingCollectiveRequest);
        case RecordKind::MpiCollectiveBegin:
            return check(OTF2_EvtWriter_MpiCollectiveBegin(out_, nullptr, now()), "an event");
        default:
            break;
    }
    const auto comm = process_.comms.find(highHalf(words[0]));
    if (!comm) {
        ++result_.dropped;
        return;
    }
    const std::uint32_t peer = lowHalf(words[0]);
    const auto message = [&](auto write) {
        check(write(out_, nullptr, now(), peer, *comm, lowHalf(words[1]), words[2]), "an event");
    };
    const auto requested = [&](auto write) {
        check(write(out_, nullptr, now(), peer, *comm, lowHalf(words[1]), words[2], words[3]), "an event");
    };
    switch (record.kind) {
        case RecordKind::MpiSend:
            return message(OTF2_EvtWriter_MpiSend);
        case RecordKind::MpiRecv:
            return message(OTF2_EvtWriter_MpiRecv);
        case RecordKind::MpiIsend:
            return requested(OTF2_EvtWriter_MpiIsend);
        case RecordKind::MpiIrecv:
            return requested(OTF2_EvtWriter_MpiIrecv);
        case RecordKind::MpiCollectiveEnd:
            return check(OTF2_EvtWriter_MpiCollectiveEnd(
                             out_, nullptr, now(), otf2Operation(static_cast<tracing::Collective>(peer)),
                             *comm, lowHalf(words[1]), words[2], words[3]),
                         "an event");
        case RecordKind::MpiCollectiveComplete:
            return check(OTF2_EvtWriter_NonBlockingCollectiveComplete(
                             out_, nullptr, now(), otf2Operation(static_cast<tracing::Collective>(peer)),
                             *comm, lowHalf(words[1]), words[2], words[3], words[4]),
                         "an event");
        default:
            ++result_.dropped;
    }
}

}  // namespace holos::archive
