// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/event_translation.h"

#include <algorithm>
#include <limits>

#include "tracing/recordings/archive/events/record_translations.h"
#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {

/// Threads that go on while the program ends may record events for as long.
constexpr std::int64_t kAtEnd = 100'000'000;

using tracing::RecordGroup;
using tracing::RecordKind;

EventFile eventsOf(const TraceProcess& process, const TraceLocation& location) {
    const RecordedProcess& recorded = *process.recorded;
    return {recorded.eventFile(), recorded.chunksOf(location.ref), countersOf(process, location).size(),
            recorded.syncs.front().ticks};
}

EventTranslation::EventTranslation(OTF2_EvtWriter* out, const TracePlan& plan, const TraceProcess& process,
                                   const TraceLocation& location, const HostClock& clock,
                                   const RecordedExtent& extent, LocationContexts& contexts)
    : plan_(plan),
      process_(process),
      location_(location),
      extent_(extent),
      out_(out, clock, process.recorded->syncs.front().ticks),
      open_(out_, plan),
      unrecorded_(out_, open_, *process.recorded),
      regions_(out_, open_, plan, process, contexts),
      values_(out_, plan, process, location),
      samples_(out_, plan, process, contexts),
      begin_(process.recorded->syncs.front().ticks) {
    const auto& syncs = process.recorded->syncs;
    if (process.recorded->status.ended != 0 && syncs.size() > 1) knownEnd_ = syncs.back().ticks;
}

LocationResult EventTranslation::run(bool isMaster, std::uint32_t programName, RecordsWithoutPartner alone) {
    isMaster_ = isMaster;
    result_.first = out_.now();
    if (isMaster) out_.write(OTF2_EvtWriter_ProgramBegin, programName, 0U, nullptr);
    SettledEvents events(eventsOf(process_, location_));
    std::uint64_t number = 0;
    while (const auto record = events.next()) {
        const bool isAlone = alone.has(number++);
        if (samples_.oneWaits()) samples_.write(out_.nanoseconds(record->ticks));
        if (record->isAfterLoss) markLoss(record->ticks);
        result_.processors.advance(record->ticks);
        if (takeAside(*record)) continue;
        passTo(*record, events.file());
        count(*record);
        isAlone ? translateAlone(*record) : translate(*record);
        goesOn_ = record->kind != RecordKind::ThreadEnd && record->kind != RecordKind::MeasurementOff;
    }
    samples_.write(std::numeric_limits<std::int64_t>::max());
    if (isMaster) unrecorded_.switchToEnd();
    if (process_.recorded->stop) out_.passTo(*process_.recorded->stop);
    result_.open = open_.regions();
    result_.lastRegion = regions_.last();
    markUnrecordedEnd(events.file());
    const bool isOpen = !result_.open.empty() || open_.isInTeam();
    if (extent_.end && goesOn_ && isOpen) out_.passTo(*extent_.end);
    passUnknownTime();
    open_.leaveAll();
    result_.unended = open_.unended();
    if (isMaster) endProgram();
    result_.lostBytes = events.file().lostBytes();
    result_.damaged = events.file().damaged();
    result_.isCut = events.file().isCut();
    result_.hasPolls = regions_.havePolls();
    result_.shortage = open_.shortage().written();
    result_.dropped = out_.dropped();
    result_.last = out_.now();
    result_.events = out_.events();
    return result_;
}

bool EventTranslation::takeAside(const Record& record) {
    switch (record.kind) {
        case RecordKind::Processor:
            result_.processors.add(tracing::lowHalf(record.words[0]));
            return true;
        case RecordKind::Shortage:
            open_.shortage().add(record);
            return true;
        case RecordKind::Sample:
            samples_.keep(record);
            return true;
        case RecordKind::MemoryAccess:
            samples_.keepAccess(accessIn(record));
            return true;
        default:
            return false;
    }
}

/// For the laws that hold of every recording.
void EventTranslation::count(const Record& record) {
    const bool isLate =
        record.ticks > knownEnd_ && out_.nanoseconds(record.ticks) - out_.nanoseconds(knownEnd_) > kAtEnd;
    if (isLate || record.ticks < begin_) ++result_.outside;
    switch (record.kind) {
        case RecordKind::MpiSend:
        case RecordKind::MpiIsend:
            ++result_.sent;
            break;
        case RecordKind::MpiRecv:
        case RecordKind::MpiIrecv:
            ++result_.received;
            break;
        case RecordKind::MpiRequestCancelled:
            ++result_.cancelled;
            break;
        default:
            break;
    }
}

void EventTranslation::passTo(const Record& record, const EventFile& file) {
    const bool isFirst = result_.events++ == 0;
    if (!isFirst || (isMaster_ && !file.isCut())) {
        unrecorded_.switchUpTo(record.ticks);
    } else {
        unrecorded_.passSwitches(record.ticks);
        // The program has run since its start, but what it did until here was overwritten.
        if (isMaster_) unrecorded_.mark(record.ticks);
    }
    out_.passTo(record.ticks);
    if (isFirst && !isMaster_) result_.first = out_.now();
}

/// What was open before ended unrecorded, unlike what began meanwhile.
void EventTranslation::markLoss(std::uint64_t ticks) {
    if (location_.isSamples) return;
    open_.shortage().forget();
    open_.leaveAll();
    unrecorded_.mark(ticks);
}

/// Behind its last event the thread went on, and nobody knows with what.
void EventTranslation::markUnrecordedEnd(const EventFile& file) {
    if (location_.isSamples) return;
    if (file.endsWithLoss()) {
        open_.leaveAll();
        if (const auto end = orderlyEnd(*process_.recorded)) unrecorded_.mark(*end);
        return;
    }
    const bool hasStopped = extent_.allStopped || file.isFull();
    if (extent_.endOfUnrecorded && hasStopped && goesOn_) unrecorded_.mark(*extent_.endOfUnrecorded);
}

/// Its process was ended by others: between the last event and that end nobody knows what it did.
void EventTranslation::passUnknownTime() {
    const bool isThere = isMaster_ || !result_.open.empty() || open_.isInTeam();
    if (!extent_.seenEnd || !goesOn_ || !isThere || location_.isSamples) return;
    if (extent_.end) out_.passTo(*extent_.end);
    result_.unknownTime = *extent_.seenEnd - out_.now();
    if (result_.unknownTime <= 0) return;
    open_.enter(plan_.noMoreEvents, nullptr);
    out_.passToNanoseconds(*extent_.seenEnd);
    open_.leave(plan_.noMoreEvents);
}

/// As shells have it for signals.
std::int64_t EventTranslation::exitStatus() const {
    constexpr std::int64_t kOfSignals = 128;
    const ProcessEnd& end = process_.recorded->end;
    if (end.how == ProcessEnd::How::Signal) return kOfSignals + end.signal;
    return end.code ? *end.code : OTF2_UNDEFINED_INT64;
}

/// The last pair of clock values was taken at the program's orderly end; a program that was killed went on
/// while its threads did. Of a recording that was to stop earlier, the program ends there.
void EventTranslation::endProgram() {
    if (!process_.recorded->stop && process_.recorded->status.ended != 0)
        out_.passTo(process_.recorded->syncs.back().ticks);
    else if (extent_.end && goesOn_)
        out_.passTo(*extent_.end);
    out_.write(OTF2_EvtWriter_ProgramEnd, exitStatus());
}

void EventTranslation::translate(const Record& record) {
    if (record.kind == RecordKind::BufferFlush) return translateFlush(record);
    if (location_.isSamples) return values_.translateSamples(record);
    switch (tracing::groupOf(record.kind)) {
        case RecordGroup::Region:
            if (!tracing::mayChange(record.kind)) return regions_.translate(record);
            return record.kind == RecordKind::Polls ? regions_.translatePolls(record)
                                                    : regions_.translateSections(record);
        case RecordGroup::Counters:
            return values_.translateCounters(record);
        case RecordGroup::User:
            return translateUser(record);
        case RecordGroup::Mpi:
            return translateMessage(out_, plan_, process_, record);
        case RecordGroup::Rma:
            return translateOneSided(out_, process_, record);
        case RecordGroup::File:
            return translateFile(out_, open_, process_, record);
        case RecordGroup::Team:
            return translateTeams(out_, open_, process_, record);
        case RecordGroup::Lock:
            return translateLocks(out_, open_, record);
        case RecordGroup::Life:
            // Of a thread that begins or ends nobody needs to know it.
            if (record.kind == RecordKind::ThreadBegin || record.kind == RecordKind::ThreadEnd)
                open_.shortage().forget();
            return translateLives(out_, open_, process_, record);
        case RecordGroup::Task:
            return translateTasks(out_, open_, process_, record);
        case RecordGroup::Recorder:
        case RecordGroup::MpiFailure:
            out_.drop();
    }
}

/// Of a receive that was begun it is said that nothing came, so that it ends.
void EventTranslation::translateAlone(const Record& record) {
    if (record.kind == RecordKind::MpiIrecv) out_.write(OTF2_EvtWriter_MpiRequestCancelled, record.words[3]);
}

void EventTranslation::translateUser(const Record& record) {
    const bool isOn = record.kind == RecordKind::MeasurementOn;
    if (isOn || record.kind == RecordKind::MeasurementOff) return unrecorded_.switchOwn(isOn);
    values_.translateUser(record);
}

/// The events before and after have other times than its start and end: Scalasca takes those with equal ones
/// to be within it. So much apart that they stay so when clocks are corrected.
void EventTranslation::translateFlush(const Record& record) {
    constexpr std::int64_t kApart = 2;
    out_.passBy(kApart);
    const std::int64_t end = std::max(out_.now(), out_.nanoseconds(record.words[0]));
    out_.write(OTF2_EvtWriter_BufferFlush, static_cast<OTF2_TimeStamp>(end));
    out_.passToNanoseconds(end + kApart);
}

}  // namespace holos::archive
