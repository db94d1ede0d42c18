// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/analyze.h"

#include <map>
#include <memory>

#include "algebra/model/communication.h"
#include "analyzer/causes/causes.h"
#include "analyzer/clocks/clock_correction.h"
#include "analyzer/clocks/shared_correction.h"
#include "analyzer/collate/communication.h"
#include "analyzer/collate/experiment_builder.h"
#include "analyzer/collate/hardware.h"
#include "analyzer/collate/instances.h"
#include "analyzer/collate/off_processor.h"
#include "analyzer/collate/sampled_time.h"
#include "analyzer/matching/clock_violations.h"
#include "analyzer/matching/collectives.h"
#include "analyzer/matching/messages.h"
#include "analyzer/matching/requests.h"
#include "analyzer/matching/teams.h"
#include "analyzer/memory/record_file.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/list.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/read_trace.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/unrecorded.h"

namespace holos::analyzer {

namespace {

using patterns::LocalSeverities;
using replay::ReplayedTrace;
using trace::LocationId;

/// What is found when records are matched, step by step.
void runPatterns(ReplayedTrace& trace, workers::Workers& workers, std::vector<LocalSeverities>& severities) {
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        for (const patterns::Pattern* pattern : patterns::allPatterns())
            if (pattern->inLocation != nullptr) pattern->inLocation(trace, LocationId(i), severities[i]);
    });
    for (const patterns::Pattern* pattern : patterns::allPatterns())
        if (pattern->inTrace != nullptr) pattern->inTrace(trace, severities);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        for (const patterns::Pattern* pattern : patterns::allPatterns())
            if (pattern->book != nullptr) pattern->book(trace, LocationId(i), severities[i]);
    });
}

/// All but those of forks.
std::vector<LocalSeverities> findPatterns(ReplayedTrace& trace, workers::Workers& workers,
                                          AnalysisResult& result) {
    std::vector<LocalSeverities> severities(trace.locations.size());
    matching::linkRequests(trace, workers);
    result.statistics.messages = matching::matchMessages(trace, workers);
    result.statistics.collectives = matching::matchCollectives(
        trace, workers, result.diagnoses, patterns::collectiveWaits, patterns::intercommunicatorWaits);
    matching::matchBarriers(trace, workers, patterns::ompBarrierWait);
    matching::matchLocks(trace, workers,
                         [&](matching::LockHistory history) { patterns::lockWaits(trace, history); });
    runPatterns(trace, workers, severities);
    return severities;
}

void reportViolations(const ReplayedTrace& trace, const matching::ForkedStays& stays,
                      workers::Workers& workers, const std::string& consequence, AnalysisResult& result) {
    const std::vector<Diagnosis> found = matching::clockViolations(trace, stays, workers, consequence);
    result.diagnoses.insert(result.diagnoses.end(), found.begin(), found.end());
}

/// Clocks for a second reading, in which the events come in their logical order.
struct CorrectedClocks {
    clocks::ClockCorrection correction;
    trace::Clock clock;  ///< that counts the corrected times
    std::vector<std::unique_ptr<clocks::CorrectedClock>> byLocation;
};

/// Reads the trace once to see which events follow which. The first rank finds out what has to be done, and
/// each has it for the locations that it reads.
CorrectedClocks correctClocks(Reading reading, const trace::Definitions& definitions,
                              const std::vector<trace::RegionClass>& classes,
                              const clocks::ClockParameters& parameters, AnalysisResult& result) {
    const clocks::FineTicks fine(definitions.clock);
    std::vector<std::unique_ptr<clocks::ClockSurvey>> surveys;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        surveys.push_back(std::make_unique<clocks::ClockSurvey>(fine, parameters));
    reading.clockOf = [&](LocationId location) { return surveys[location.index()].get(); };
    ReplayedTrace trace{definitions, classes, {}};
    readTrace(reading, trace);
    std::vector<clocks::ClockPoints> points;
    for (const auto& survey : surveys) points.push_back(survey->take());
    clocks::bringToFirst(reading.ranks, reading.shares, points);

    CorrectedClocks corrected{{}, fine.clock(), {}};
    corrected.correction.locations.resize(definitions.locations.size());
    reading.ranks.agree([&] {
        if (!reading.ranks.isFirst()) return;
        AnalysisResult matched;
        findPatterns(trace, reading.workers, matched);
        reportViolations(trace, matching::ForkedStays(trace), reading.workers, "the clocks were corrected",
                         result);
        corrected.correction =
            clocks::correctClocks(trace, std::move(points), fine, parameters, reading.workers);
    });
    clocks::bringFromFirst(reading.ranks, reading.shares, corrected.correction.locations);
    result.statistics.clockViolations = corrected.correction.violations;
    result.statistics.largestCorrection = corrected.correction.largest;
    for (const clocks::Correction& correction : corrected.correction.locations)
        corrected.byLocation.push_back(
            std::make_unique<clocks::CorrectedClock>(fine, parameters, correction));
    return corrected;
}

/// The longest waits, and who sent what to whom.
void addRunFiles(const ReplayedTrace& trace, const paths::MergedTree& merged, workers::Workers& workers,
                 std::map<std::string, std::string>& files) {
    const std::vector<collate::Instance> instances = collate::severestInstances(trace, merged, workers);
    if (!instances.empty()) files[kInstancesName] = collate::describe(instances, trace, merged);
    const std::vector<algebra::Traffic> traffic = collate::communication(trace, workers);
    if (!traffic.empty()) files[algebra::kCommunicationFile] = algebra::communicationText(traffic);
}

/// What the analysis leaves out it leaves out everywhere: that is said once.
void addDiagnoses(const std::vector<replay::LocationTrace>& locations, std::vector<Diagnosis>& all) {
    std::map<std::string, std::size_t> leftOut;  // by message: position in `all`
    for (const replay::LocationTrace& location : locations)
        for (const Diagnosis& diagnosis : location.diagnoses) {
            const auto [known, isNew] = diagnosis.trouble == Trouble::NotAnalyzed
                                            ? leftOut.try_emplace(diagnosis.message, all.size())
                                            : std::pair(leftOut.end(), true);
            if (isNew) {
                all.push_back(diagnosis);
                continue;
            }
            Diagnosis& everywhere = all[known->second];
            everywhere.count += diagnosis.count;
            everywhere.location = everywhere.event = std::nullopt;
            everywhere.time = std::nullopt;
        }
}

void gatherDiagnoses(const ReplayedTrace& trace, AnalysisResult& result) {
    std::vector<Diagnosis> all;
    for (const std::string& problem : trace.definitions.problems)
        all.push_back({Trouble::MissingDefinition, problem, {}, {}, {}, 1});
    addDiagnoses(trace.locations, all);
    all.insert(all.end(), result.diagnoses.begin(), result.diagnoses.end());
    result.diagnoses = std::move(all);
    if (result.diagnoses.empty()) return;
    result.experiment.files[kDiagnosesName] = describe(result.diagnoses);
    result.experiment.attributes.emplace_back(kDiagnosesName, std::to_string(result.diagnoses.size()));
}

unsigned threadsWhileReading(const AnalysisOptions& options, const workers::Ranks& ranks) {
    return options.threads == 0 && ranks.count() > 1 ? 1 : options.threads;
}

}  // namespace

AnalysisResult analyze(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options) {
    PhaseClock clock;
    clock.begin("definitions");
    workers::Alone alone;
    workers::Ranks& ranks = options.ranks != nullptr ? *options.ranks : alone;
    std::filesystem::path anchor;
    trace::Definitions definitions;
    std::unique_ptr<RecordFile> file;
    ranks.attempt([&] {
        anchor = trace::findAnchor(archiveOrDirectory);
        definitions = trace::readDefinitions(anchor);
        if (options.memoryLimit != 0)
            file = std::make_unique<RecordFile>(options.memoryLimit, options.recordFolder);
    });
    const std::vector<trace::RegionClass> classes = trace::classifyRegions(definitions);
    const workers::Shares shares(definitions, ranks.count());
    auto workers = workers::makeThreads(threadsWhileReading(options, ranks));
    ProgressMeter meter(options.progress, definitions, shares.of(ranks.self()),
                        options.correctClocks ? 2 : 1);

    AnalysisResult result;
    Reading reading{anchor, ranks, shares, *workers, meter};
    if (file) reading.memory = file.get();
    CorrectedClocks corrected;
    if (options.correctClocks) {
        clock.begin("clock correction");
        corrected = correctClocks(reading, definitions, classes, *options.correctClocks, result);
        definitions.clock = corrected.clock;
        reading.clockOf = [&](LocationId location) { return corrected.byLocation[location.index()].get(); };
    }
    ReplayedTrace trace{definitions, classes, {}};
    clock.begin("reading and replay");
    reading.withProfiles = options.causes;
    readTrace(reading, trace);
    ranks.finish();
    if (!ranks.isFirst()) return result;
    trimHeap();
    for (Diagnosis& missing : unrecordedOperations(trace)) result.diagnoses.push_back(std::move(missing));
    workers = workers::makeThreads(threadsWhileReading(options, ranks) * ranks.onThisMachine());
    clock.begin("matching and patterns");
    std::vector<LocalSeverities> severities = findPatterns(trace, *workers, result);
    matching::ForkedStays stays(trace);
    patterns::ompManagement(trace, stays, severities);
    if (!options.correctClocks)
        reportViolations(trace, stays, *workers, "waiting ends with the call", result);
    clock.begin("call tree");
    paths::MergedTree merged = paths::mergeCallTrees(trace, *workers);
    std::map<std::string, std::string> files;
    addRunFiles(trace, merged, *workers, files);
    std::vector<causes::LocationCauses> causes;
    clock.begin("causes");
    if (options.causes)
        causes = causes::findCauses(trace, std::move(stays), merged, *workers,
                                    {.asScalasca = options.causesAsScalasca}, reading.memory);
    clock.begin("experiment");
    result.experiment = collate::buildExperiment(trace, std::move(merged), severities, causes, *workers);
    collate::addHardware(result.experiment, trace.definitions);
    collate::addOffProcessor(result.experiment);
    collate::markSampledTime(result.experiment, trace);
    result.experiment.files.merge(files);
    gatherDiagnoses(trace, result);
    for (const replay::LocationTrace& location : trace.locations) result.statistics.events += location.events;
    result.statistics.locations = trace.locations.size();
    result.statistics.callPaths = result.experiment.callTree.size();
    if (file) {
        result.statistics.recordsInFile = file->largest();
        result.statistics.evictions = file->evictions();
    }
    result.statistics.phases = clock.take();
    meter.finish();
    return result;
}

}  // namespace holos::analyzer
