// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/location_parts.h"

#include <tbb/parallel_for.h>
#include <utility>

#include <algorithm>
#include <memory>

#include "tracing/counters/memory_events.h"
#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_check.h"
#include "tracing/recordings/archive/events/event_translation.h"
#include "tracing/recordings/archive/events/profile_translation.h"
#include "tracing/recordings/archive/process/profile_cells.h"

namespace holos::archive {
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
