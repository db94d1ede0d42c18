// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/recorded_jobs.h"

#include <algorithm>
#include <utility>

#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/run_identity.h"
#include "tracing/recordings/archive/run/jobs.h"

namespace holos::archive {
namespace {

Recording read(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed) {
    return moment ? readRecording(recording, *moment) : readRecording(recording, std::move(packed));
}

/// Where a process was ended by others.
void addUnknownTime(TracePlan& plan) {
    const auto wasSeen = [](const TraceProcess& process) { return extentOf(process).seenEnd.has_value(); };
    if (std::ranges::none_of(plan.processes, wasSeen)) return;
    plan.noMoreEvents = static_cast<std::uint32_t>(plan.regions.size());
    RecordedRegion& region = plan.regions.emplace_back();
    region.name = "NO MORE EVENTS";
    region.paradigm = tracing::Paradigm::Measurement;
    region.role = tracing::Role::Artificial;
}

}  // namespace

Here here() {
    return {bootId(), tracing::clockName(), tracing::synchronizeClocks()};
}

RecordedJobs::RecordedJobs(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed)
    : recording_(recording), filter_(savedFilter(recording)) {
    Recording recorded = read(recording, moment, std::move(packed));
    notes_ = recorded.notes;
    for (const auto& stranger : recorded.strangers)
        notes_.push_back(stranger.stem().string() + " is a process of another run and was left out");
    if (recorded.processes.empty()) return;
    const Meetings meetings = joinWorlds(recorded);
    jobs_ = byJob(std::move(recorded.processes), meetings);
    definitions_ = std::move(recorded.definitions);
}

TracePlan RecordedJobs::plan(std::size_t number) {
    TracePlan plan = planTrace(jobs_[number - 1], definitions_, filter_);
    if (const auto run = readRun(recording_)) plan.run = run->id;
    addUnknownTime(plan);
    plan.hardware = savedHardware(recording_);
    plan.keepsEvents = keepsEvents(recording_);
    plan.keepsNewest = keepsNewest(recording_);
    return plan;
}

Timeline RecordedJobs::timeline(std::size_t number, const Here& here) const {
    const auto& processes = jobs_[number - 1];
    const bool isSameClock = processes.front().clock == here.clock;
    return {processes, isSameClock ? here.boot : "", here.time};
}

}  // namespace holos::archive
