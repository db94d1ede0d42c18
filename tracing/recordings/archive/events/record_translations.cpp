// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/record_translations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tracing/recordings/archive/definitions/counter_shares.h"
#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;

void RegionEvents::translate(const Record& record) {
    const auto region = process_.regions.find(lowHalf(record.words[0]));
    if (region == TracePlan::kFilteredOut) return open_.forgetCall();
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

void DefinitionsWriter::writeFromAll() {
    check(OTF2_GlobalDefWriter_WriteAttribute(
              out_, fromAll(plan_), string("ReceivesFromAll"),
              string("1: the rank received something from each of the others; else that is not known"),
              OTF2_TYPE_UINT8),
          "what is said of exchanges");
}

void translateMessage(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                      const Record& record) {
    const std::uint64_t* words = record.words;
    switch (record.kind) {
        case RecordKind::MpiIsendComplete:
            return out.write(OTF2_EvtWriter_MpiIsendComplete, words[0]);
        case RecordKind::MpiIrecvRequest:
            return out.write(OTF2_EvtWriter_MpiIrecvRequest, words[0]);
        case RecordKind::MpiRequestTest:
            return out.write(OTF2_EvtWriter_MpiRequestTest, words[0]);
        case RecordKind::MpiRequestCancelled:
            return out.write(OTF2_EvtWriter_MpiRequestCancelled, words[0]);
        case RecordKind::MpiCollectiveRequest:
            return out.write(OTF2_EvtWriter_NonBlockingCollectiveRequest, words[0]);
        case RecordKind::MpiCollectiveBegin:
            return out.write(OTF2_EvtWriter_MpiCollectiveBegin);
        default:
            break;
    }
    const auto comm = process.comms.find(highHalf(words[0]));
    if (!comm) return out.drop();
    const std::uint32_t peer = lowHalf(words[0]);
    const auto message = [&](auto writer, auto... request) {
        out.write(writer, peer, *comm, lowHalf(words[1]), words[2], request...);
    };
    const bool isFromAll = plan.exchangesUnequally && (words[1] & tracing::kReceivesFromAll) != 0;
    const auto collective = [&](auto writer, auto... request) {
        const Attributes attributes = isFromAll ? newAttributes() : nullptr;
        if (isFromAll) OTF2_AttributeList_AddUint8(attributes.get(), DefinitionsWriter::fromAll(plan), 1);
        out.writeWith(attributes.get(), writer, otf2Operation(static_cast<tracing::Collective>(peer)), *comm,
                      lowHalf(words[1]), words[2], words[3], request...);
    };
    switch (record.kind) {
        case RecordKind::MpiSend:
            return message(OTF2_EvtWriter_MpiSend);
        case RecordKind::MpiRecv:
            return message(OTF2_EvtWriter_MpiRecv);
        case RecordKind::MpiIsend:
            return message(OTF2_EvtWriter_MpiIsend, words[3]);
        case RecordKind::MpiIrecv:
            return message(OTF2_EvtWriter_MpiIrecv, words[3]);
        case RecordKind::MpiCollectiveEnd:
            return collective(OTF2_EvtWriter_MpiCollectiveEnd);
        case RecordKind::MpiCollectiveComplete:
            return collective(OTF2_EvtWriter_NonBlockingCollectiveComplete, words[4]);
        default:
            return out.drop();
    }
}

namespace {

OTF2_RmaSyncLevel levelOf(std::uint64_t word) {
    return static_cast<OTF2_RmaSyncLevel>(static_cast<std::uint8_t>(word));
}

/// Where a record names its window.
std::uint32_t windowIn(const Record& record) {
    switch (record.kind) {
        case RecordKind::RmaWinCreate:
        case RecordKind::RmaWinDestroy:
        case RecordKind::RmaCompleteHere:
        case RecordKind::RmaCompleteRemote:
            return lowHalf(record.words[0]);
        default:
            return highHalf(record.words[0]);
    }
}

}  // namespace

void translateOneSided(LocationWriter& out, const TraceProcess& process, const Record& record) {
    if (record.kind == RecordKind::RmaCollectiveBegin) return out.write(OTF2_EvtWriter_RmaCollectiveBegin);
    const std::uint64_t* words = record.words;
    const auto window = process.windows.find(windowIn(record));
    const bool ofGroup = record.kind == RecordKind::RmaGroupSync;
    const auto group = ofGroup ? process.groups.find(lowHalf(words[1])) : std::nullopt;
    if (!window || (ofGroup && !group)) return out.drop();
    const std::uint32_t win = *window;
    const std::uint32_t target = lowHalf(words[0]);
    switch (record.kind) {
        case RecordKind::RmaWinCreate:
            return out.write(OTF2_EvtWriter_RmaWinCreate, win);
        case RecordKind::RmaWinDestroy:
            return out.write(OTF2_EvtWriter_RmaWinDestroy, win);
        case RecordKind::RmaCollectiveEnd:
            return out.write(OTF2_EvtWriter_RmaCollectiveEnd,
                             otf2Operation(static_cast<tracing::Collective>(target)), levelOf(words[1]), win,
                             tracing::kNoRoot, 0, 0);
        case RecordKind::RmaGroupSync:
            return out.write(OTF2_EvtWriter_RmaGroupSync, levelOf(target), win,
                             DefinitionsWriter::kFirstGroup + *group);
        case RecordKind::RmaRequestLock:
            return out.write(
                OTF2_EvtWriter_RmaRequestLock, win, target, 0,
                static_cast<OTF2_LockType>(words[1] != 0 ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED));
        case RecordKind::RmaReleaseLock:
            return out.write(OTF2_EvtWriter_RmaReleaseLock, win, target, 0);
        case RecordKind::RmaPut:
            return out.write(OTF2_EvtWriter_RmaPut, win, target, words[1], words[2]);
        case RecordKind::RmaGet:
            return out.write(OTF2_EvtWriter_RmaGet, win, target, words[1], words[2]);
        case RecordKind::RmaAtomic:
            return out.write(OTF2_EvtWriter_RmaAtomic, win, target,
                             otf2Atomic(static_cast<tracing::RmaAtomic>(words[1])), words[2], words[3],
                             words[4]);
        case RecordKind::RmaCompleteHere:
            return out.write(OTF2_EvtWriter_RmaOpCompleteNonBlocking, win, words[1]);
        case RecordKind::RmaCompleteRemote:
            return out.write(OTF2_EvtWriter_RmaOpCompleteRemote, win, words[1]);
        case RecordKind::RmaSyncMemory:
            return out.write(OTF2_EvtWriter_RmaSync, win, target,
                             static_cast<OTF2_RmaSyncType>(OTF2_RMA_SYNC_TYPE_MEMORY));
        default:
            return out.drop();
    }
}

namespace {

OTF2_IoAccessMode accessOf(std::uint64_t word) {
    switch (static_cast<tracing::FileAccess>(word)) {
        case tracing::FileAccess::WriteOnly:
            return OTF2_IO_ACCESS_MODE_WRITE_ONLY;
        case tracing::FileAccess::ReadWrite:
            return OTF2_IO_ACCESS_MODE_READ_WRITE;
        default:
            return OTF2_IO_ACCESS_MODE_READ_ONLY;
    }
}

OTF2_IoCreationFlag creationOf(std::uint32_t flags) {
    OTF2_IoCreationFlag result = OTF2_IO_CREATION_FLAG_NONE;
    if ((flags & tracing::kCreateFile) != 0) result |= OTF2_IO_CREATION_FLAG_CREATE;
    if ((flags & tracing::kExclusively) != 0) result |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
    return result;
}

OTF2_IoStatusFlag statusOf(std::uint32_t flags) {
    OTF2_IoStatusFlag result = OTF2_IO_STATUS_FLAG_NONE;
    if ((flags & tracing::kAppend) != 0) result |= OTF2_IO_STATUS_FLAG_APPEND;
    if ((flags & tracing::kDeleteOnClose) != 0) result |= OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE;
    return result;
}

OTF2_IoOperationMode operationOf(std::uint32_t code) {
    switch (static_cast<tracing::FileOperation>(code)) {
        case tracing::FileOperation::Write:
            return OTF2_IO_OPERATION_MODE_WRITE;
        case tracing::FileOperation::Flush:
            return OTF2_IO_OPERATION_MODE_FLUSH;
        default:
            return OTF2_IO_OPERATION_MODE_READ;
    }
}

OTF2_IoSeekOption seekOf(std::uint32_t code) {
    switch (static_cast<tracing::SeekFrom>(code)) {
        case tracing::SeekFrom::Here:
            return OTF2_IO_SEEK_FROM_CURRENT;
        case tracing::SeekFrom::End:
            return OTF2_IO_SEEK_FROM_END;
        default:
            return OTF2_IO_SEEK_FROM_START;
    }
}

}  // namespace

void translateFile(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                   const Record& record) {
    const std::uint64_t* words = record.words;
    const auto& known = record.kind == RecordKind::FileDeleted ? process.files : process.handles;
    const auto found = known.find(lowHalf(words[0]));
    if (!found) return out.drop();
    const std::uint32_t self = *found;
    const std::uint32_t code = highHalf(words[0]);
    switch (record.kind) {
        case RecordKind::FileOpened:
            return out.write(OTF2_EvtWriter_IoCreateHandle, self, accessOf(words[1]), creationOf(code),
                             statusOf(code));
        case RecordKind::FileClosed:
            return out.write(OTF2_EvtWriter_IoDestroyHandle, self);
        case RecordKind::FileDeleted:
            return out.write(OTF2_EvtWriter_IoDeleteFile, DefinitionsWriter::kMpiFiles, self);
        case RecordKind::FileSeek:
            return out.write(OTF2_EvtWriter_IoSeek, self, static_cast<std::int64_t>(words[1]), seekOf(code),
                             words[2]);
        case RecordKind::FileBegin:
            return out.write(OTF2_EvtWriter_IoOperationBegin, self, operationOf(code),
                             static_cast<OTF2_IoOperationFlag>(words[1]), words[2], words[3]);
        case RecordKind::FileIssued:
            return out.write(OTF2_EvtWriter_IoOperationIssued, self, words[1]);
        case RecordKind::FileTested:
            return out.write(OTF2_EvtWriter_IoOperationTest, self, words[1]);
        case RecordKind::FileCollective:
            return open.nameFile(self);
        default:
            return out.write(OTF2_EvtWriter_IoOperationComplete, self, words[1], words[2]);
    }
}

namespace {

OTF2_Paradigm paradigmOf(std::uint64_t code) {
    return otf2Paradigm(static_cast<tracing::Paradigm>(static_cast<std::uint8_t>(code)));
}

/// The team that the record names first; without a definition of it the record is dropped.
std::optional<std::uint32_t> teamOf(LocationWriter& out, const TraceProcess& process, const Record& record) {
    const auto team = process.teams.find(lowHalf(record.words[0]));
    if (!team) out.drop();
    return team;
}

}  // namespace

void translateTasks(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    const auto team = teamOf(out, process, record);
    if (!team) return;
    const TaskNumber task{*team, lowHalf(record.words[1]), highHalf(record.words[1])};
    if (record.kind == RecordKind::TaskCreate)
        out.write(OTF2_EvtWriter_ThreadTaskCreate, task.team, task.creator, task.generation);
    else if (record.kind == RecordKind::TaskSwitch)
        open.switchTo(task);
    else
        open.complete(task);
}

void translateTeams(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    const std::uint64_t word = record.words[0];
    if (record.kind == RecordKind::ThreadFork) return open.fork(paradigmOf(lowHalf(word)), highHalf(word));
    if (record.kind == RecordKind::ThreadJoin) return open.join(paradigmOf(word));
    const auto team = teamOf(out, process, record);
    if (!team) return;
    if (record.kind == RecordKind::ThreadTeamBegin)
        open.beginTeam(*team);
    else
        open.endTeam(*team);
}

void translateLocks(LocationWriter& out, OpenRegions& open, const Record& record) {
    if (record.kind == RecordKind::TimedOut) return open.nameTimeout(record.words[0]);
    const auto writer = record.kind == RecordKind::AcquireLock ? OTF2_EvtWriter_ThreadAcquireLock
                                                               : OTF2_EvtWriter_ThreadReleaseLock;
    // Here times with a lock begin and end: what the thread lacked in one of them is told within it.
    out.writeWith(open.shortage().with(nullptr), writer, paradigmOf(record.words[1]),
                  lowHalf(record.words[0]), highHalf(record.words[0]));
}

void translateLives(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    if (!process.hasThreads) return;  // one was to be created, and could not
    const auto write = [&](auto writer) { out.write(writer, process.threads, record.words[0]); };
    switch (record.kind) {
        case RecordKind::ThreadBegin:
            return write(OTF2_EvtWriter_ThreadBegin);
        case RecordKind::ThreadEnd:
            open.leaveAll();  // it may have ended within them
            return write(OTF2_EvtWriter_ThreadEnd);
        case RecordKind::ThreadCreate:
            return write(OTF2_EvtWriter_ThreadCreate);
        default:
            return write(OTF2_EvtWriter_ThreadWait);
    }
}

}  // namespace holos::archive
