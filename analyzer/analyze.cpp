// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/analyze.h"

#include <mutex>

#include "analyzer/causes/causes.h"
#include "analyzer/collate/experiment_builder.h"
#include "analyzer/collate/instances.h"
#include "analyzer/matching/collectives.h"
#include "analyzer/matching/messages.h"
#include "analyzer/matching/teams.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/replay/location_replay.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/event_source.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer {

namespace {

using patterns::LocalSeverities;
using replay::ReplayedTrace;
using trace::LocationId;

/// Turns events into parts of the whole. Reading is nearly all of the work; what follows is counted as a
/// tenth.
class ProgressMeter {
  public:
    ProgressMeter(const std::function<void(const AnalysisProgress&)>& report,
                  const trace::Definitions& definitions)
        : report_(report) {
        for (const trace::Location& location : definitions.locations) total_ += location.events;
    }
    void advance(std::uint64_t events) {
        if (!report_) return;
        const std::lock_guard lock(mutex_);
        done_ += events;
        if (total_ != 0)
            report_({0.9 * std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)), done_});
    }
    void finish() {
        if (report_) report_({1.0, done_});
    }

  private:
    const std::function<void(const AnalysisProgress&)>& report_;
    std::mutex mutex_;
    std::uint64_t done_ = 0;
    std::uint64_t total_ = 0;
};

/// Announces the end of a location's forks even when its replay throws, so that nobody waits for ever.
class FinishGuard {
  public:
    FinishGuard(replay::TeamBoard& board, LocationId location) : board_(board), location_(location) {}
    ~FinishGuard() { board_.finish(location_); }
    FinishGuard(const FinishGuard&) = delete;
    FinishGuard& operator=(const FinishGuard&) = delete;

  private:
    replay::TeamBoard& board_;
    LocationId location_;
};

replay::LocationTrace replayLocation(const std::filesystem::path& anchor, const replay::Context& context,
                                     LocationId location, ProgressMeter& meter) {
    const FinishGuard guard(context.board, location);
    replay::LocationReplay replay(context, location);
    if (context.definitions[location].kind == trace::Location::Kind::Accelerator) {
        if (context.definitions[location].events != 0)
            replay.complain(Trouble::NotAnalyzed, "the events of an accelerator were left out", 0, 0);
        return replay.finish(0);
    }
    const trace::ReadOutcome outcome = trace::readEvents(
        anchor, context.definitions, location, replay, [&](std::uint64_t events) { meter.advance(events); });
    if (outcome.problem) replay.complain(Trouble::DamagedFile, *outcome.problem, 0, 0);
    return replay.finish(outcome.events);
}

void replayAll(const std::filesystem::path& anchor, ReplayedTrace& trace, workers::Workers& workers,
               ProgressMeter& meter, bool withProfiles) {
    const std::vector<LocationId> order = replay::replayOrder(trace.definitions);
    replay::TeamBoard board(trace.definitions, order);
    const replay::Context context{trace.definitions, trace.classes, board, withProfiles};
    trace.locations.resize(order.size());
    workers.forEach(order.size(), [&](std::size_t i) {
        trace[order[i]] = replayLocation(anchor, context, order[i], meter);
    });
}

std::vector<LocalSeverities> findPatterns(ReplayedTrace& trace, workers::Workers& workers,
                                          AnalysisResult& result) {
    std::vector<LocalSeverities> severities(trace.locations.size());
    result.statistics.messages = matching::matchMessages(trace, workers);
    result.statistics.collectives = matching::matchCollectives(
        trace, workers, result.diagnoses, patterns::collectiveWaits, patterns::intercommunicatorWaits);
    matching::matchBarriers(trace, workers, patterns::ompBarrierWaits);
    matching::matchLocks(trace, workers, patterns::lockWaits);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const LocationId location(i);
        patterns::lateSender(trace, location, severities[i]);
        patterns::countMessages(trace, location, severities[i]);
        patterns::bookThreads(trace[location], severities[i]);
        patterns::countAccesses(trace[location], severities[i]);
    });
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const LocationId location(i);
        patterns::lateReceiver(trace, location, severities[i]);
        patterns::settleNonblocking(trace[location]);
        patterns::bookCollectives(trace[location], severities[i]);
    });
    patterns::earlyFences(trace, severities);
    patterns::activeTargetWaits(trace, severities);
    patterns::passiveTargetWaits(trace, severities);
    patterns::startupWaits(trace, severities);
    patterns::ompManagement(trace, severities);
    return severities;
}

/// As `kInstancesName` holds them.
std::string longestWaits(const ReplayedTrace& trace, const collate::MergedTree& merged,
                         workers::Workers& workers) {
    const std::vector<collate::Instance> instances = collate::severestInstances(trace, merged, workers);
    return instances.empty() ? "" : collate::describe(instances, trace, merged);
}

void gatherDiagnoses(const ReplayedTrace& trace, AnalysisResult& result) {
    std::vector<Diagnosis> all;
    for (const std::string& problem : trace.definitions.problems)
        all.push_back({Trouble::MissingDefinition, problem, {}, {}, {}, 1});
    for (const replay::LocationTrace& location : trace.locations)
        all.insert(all.end(), location.diagnoses.begin(), location.diagnoses.end());
    all.insert(all.end(), result.diagnoses.begin(), result.diagnoses.end());
    result.diagnoses = std::move(all);
    if (result.diagnoses.empty()) return;
    result.experiment.files[kDiagnosesName] = describe(result.diagnoses);
    result.experiment.attributes.emplace_back(kDiagnosesName, std::to_string(result.diagnoses.size()));
}

}  // namespace

AnalysisResult analyze(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options) {
    PhaseClock clock;
    clock.begin("definitions");
    const std::filesystem::path anchor = trace::findAnchor(archiveOrDirectory);
    const trace::Definitions definitions = trace::readDefinitions(anchor);
    const std::vector<trace::RegionClass> classes = trace::classifyRegions(definitions);
    const auto workers = workers::makeThreads(options.threads);
    ProgressMeter meter(options.progress, definitions);

    AnalysisResult result;
    ReplayedTrace trace{definitions, classes, {}};
    clock.begin("reading and replay");
    replayAll(anchor, trace, *workers, meter, options.causes);
    clock.begin("matching and patterns");
    const std::vector<LocalSeverities> severities = findPatterns(trace, *workers, result);
    clock.begin("call tree");
    collate::MergedTree merged = collate::mergeCallTrees(trace);
    const std::string instances = longestWaits(trace, merged, *workers);
    std::vector<causes::LocationCauses> causes;
    clock.begin("causes");
    if (options.causes)
        causes = causes::findCauses(trace, merged, *workers, {.asScalasca = options.causesAsScalasca});
    clock.begin("experiment");
    result.experiment = collate::buildExperiment(trace, std::move(merged), severities, causes, *workers);
    if (!instances.empty()) result.experiment.files[kInstancesName] = instances;
    gatherDiagnoses(trace, result);
    for (const replay::LocationTrace& location : trace.locations) result.statistics.events += location.events;
    result.statistics.locations = trace.locations.size();
    result.statistics.callPaths = result.experiment.callTree.size();
    result.statistics.phases = clock.take();
    meter.finish();
    return result;
}

}  // namespace holos::analyzer
