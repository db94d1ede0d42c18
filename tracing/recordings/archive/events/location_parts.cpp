// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/location_parts.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/packing.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/events/event_translation.h"
#include "tracing/recordings/archive/events/profile_translation.h"
#include "tracing/recordings/archive/process/profile_cells.h"

namespace holos::archive {
namespace {

/// Below, `Packing` is a `Packer` or an `Unpacker`.
template <class Packing>
void pack(Packing& packing, MetContext& met) {
    packing.value(met.path);
    packing.optional(met.sample, [&](MetSample& sample) {
        packing.list(sample.addresses);
        packing.value(sample.files);
        packing.optional(sample.access, [&](SampledAccess& access) { packing.value(access); });
    });
}

template <class Packing>
void pack(Packing& packing, LocationResult& done) {
    packing.value(done.events);
    packing.value(done.dropped);
    packing.list(done.open);
    packing.optional(done.lastRegion, [&](LastRegion& last) { packing.value(last); });
    packing.map(done.unended);
    packing.value(done.damaged);
    packing.value(done.lostBytes);
    packing.value(done.isCut);
    packing.value(done.hasPolls);
    packing.value(done.shortage);
    packing.value(done.first);
    packing.value(done.last);
    packing.value(done.sent);
    packing.value(done.received);
    packing.value(done.cancelled);
    packing.value(done.outside);
    packing.value(done.unknownTime);
    done.processors.pack(packing);
}

template <class Packing>
void pack(Packing& packing, LocationPart& part) {
    pack(packing, part.done);
    packing.list(part.instructions);
    packing.list(part.contexts, [&](MetContext& met) { pack(packing, met); });
}

/// Throws `Error` where it refers to what is not there.
void requireKnown(const LocationPart& part, const TracePlan& plan) {
    const LocationResult& done = part.done;
    const auto isRegion = [&plan](std::uint32_t region) { return region < plan.regions.size(); };
    const auto isContext = [&part](std::uint32_t context) {
        return context == SampledContext::kNone || context < part.contexts.size();
    };
    const bool areKnown =
        std::ranges::all_of(done.open, isRegion) &&
        std::ranges::all_of(done.unended, [&](const auto& one) { return isRegion(one.first); }) &&
        (!done.lastRegion || (isRegion(done.lastRegion->region) && isContext(done.lastRegion->context))) &&
        std::ranges::none_of(part.contexts,
                             [](const MetContext& met) { return met.context == SampledContext::kNone; });
    if (!areKnown) throw Error("the report of a helper refers to what is not in the trace");
}

}  // namespace

std::string reportOn(std::span<LocationPart* const> parts) {
    Packer packer;
    packer.list(std::string());
    for (LocationPart* part : parts) {
        packer.value(part->location->id);
        pack(packer, *part);
    }
    return packer.take();
}

std::string reportOfFailure(const std::string& why) {
    Packer packer;
    packer.list(why.empty() ? "it does not say why" : why);
    return packer.take();
}

std::string takeReport(const std::string& report, const TracePlan& plan, std::span<LocationPart* const> parts,
                       SampledCode& code) {
    Unpacker unpacker(report);
    std::string failure;
    unpacker.list(failure);
    if (!failure.empty()) return failure;
    for (LocationPart* part : parts) {
        std::uint64_t location = 0;
        unpacker.value(location);
        if (location != part->location->id) throw Error("the report of a helper is of other locations");
        pack(unpacker, *part);
        const RecordedProcess& process = *part->process->recorded;
        for (MetContext& met : part->contexts)
            met.context =
                met.sample ? contextOf(code, process, *met.sample) : code.contextOf(process, met.path);
        requireKnown(*part, plan);
    }
    return "";
}

namespace {

/// Stacks are used anew by threads that come later.
void addLines(const TraceProcess& process, const TraceLocation& location, SharedLines& lines) {
    EventFile events = eventsOf(process, location);
    while (const auto record = events.next()) {
        if (record->kind != tracing::RecordKind::MemoryAccess) continue;
        const SampledAccess access = accessIn(*record);
        if (access.address != 0 && access.kind.part != counters::MemoryPart::Stack)
            lines.add(location.ref, access.address, access.block, access.kind.isStore);
    }
}

/// Ticks of the last event that the process has added up. Asked for of processes that did not end in order.
std::uint64_t lastAdded(const TraceProcess& process) {
    std::uint64_t last = 0;
    if (process.recorded == nullptr || process.recorded->status.ended != 0) return last;
    for (const TraceLocation& location : process.locations) {
        const auto cells =
            readProfileCells(*process.recorded, location.ref, process.recorded->counters.size());
        if (cells.state) last = std::max(last, cells.state->last);
    }
    return last;
}

}  // namespace

std::vector<LocationPart> partsOf(TracePlan& plan) {
    std::vector<LocationPart> parts;
    for (auto& process : plan.processes)
        for (auto& location : process.locations) parts.push_back({&process, &location});
    return parts;
}

PartsTranslation::PartsTranslation(TracePlan& plan, const Timeline& timeline, SampledCode& code,
                                   std::function<void()> beforeEach)
    : plan_(plan), timeline_(timeline), code_(code), beforeEach_(std::move(beforeEach)) {
    if (plan.keepsEvents && plan.keepsNewest) alone_ = findWithoutPartner(plan, timeline);
}

void PartsTranslation::write(OTF2_Archive* archive, std::span<LocationPart* const> parts) {
    std::vector<std::span<LocationPart* const>> byProcess;
    for (std::size_t i = 0, first = 0; i < parts.size(); ++i) {
        if (i + 1 < parts.size() && parts[i + 1]->process == parts[i]->process) continue;
        byProcess.push_back(parts.subspan(first, i + 1 - first));
        first = i + 1;
    }
    tbb::parallel_for(std::size_t{0}, byProcess.size(), [&](std::size_t i) { lookAtProcess(byProcess[i]); });
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) { translate(archive, *parts[i]); });
}

/// At what all threads of a process tell, before the events of each are written.
void PartsTranslation::lookAtProcess(std::span<LocationPart* const> parts) const {
    TraceProcess& process = *parts.front()->process;
    const RecordedExtent extent = extentOf(process);
    const std::uint64_t last = lastAdded(process);
    for (LocationPart* part : parts) {
        part->extent = extent;
        part->lastAdded = last;
    }
    const bool areAccesses = plan_.interrupts && plan_.interrupts->name == counters::kMemoryAccesses;
    if (!areAccesses || process.recorded == nullptr || !process.recorded->isWanted) return;
    const auto lines = std::make_shared<SharedLines>();
    for (const TraceLocation& location : process.locations) addLines(process, location, *lines);
    process.sharedLines = lines;
}

void PartsTranslation::translateProfile(LocationPart& part, LocationContexts& contexts) const {
    ProfileTranslation translation(plan_, *part.process, *part.location,
                                   timeline_.clock(*part.process->recorded), contexts);
    part.profile = translation.run(part.lastAdded);
    part.isProfileDamaged = translation.result().damaged;
    if (!plan_.keepsEvents) part.done = translation.result();
    part.done.damaged = false;
}

void PartsTranslation::translate(OTF2_Archive* archive, LocationPart& part) const {
    if (beforeEach_) beforeEach_();
    OTF2_EvtWriter* out = OTF2_Archive_GetEvtWriter(archive, part.location->id);
    if (out == nullptr) throw Error("cannot write the events of the trace");
    const TraceProcess& process = *part.process;
    const RecordedProcess* const recorded = process.recorded;
    LocationContexts contexts(process, code_);
    const bool isProfiled = recorded != nullptr && hasProfile(*recorded);
    if (isProfiled && recorded->isWanted && !part.location->isSamples) translateProfile(part, contexts);
    if (plan_.keepsEvents && recorded != nullptr && recorded->isWanted) {
        EventTranslation translation(out, plan_, process, *part.location, timeline_.clock(*recorded),
                                     part.extent, contexts);
        const auto alone = alone_.byLocation.find(part.location->id);
        part.done = translation.run(
            part.location->id == process.rank, DefinitionsWriter::kFirstProgram + process.program,
            alone != alone_.byLocation.end() ? alone->second : RecordsWithoutPartner());
    }
    part.instructions = contexts.instructions();
    part.contexts = contexts.take();
    check(OTF2_Archive_CloseEvtWriter(archive, out), "the events");
}

}  // namespace holos::archive
