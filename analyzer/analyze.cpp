// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/analyze.h"

#include <map>
#include <memory>

#include "algebra/model/communication.h"
#include "analyzer/causes/causes.h"
#include "analyzer/clocks/clock_correction.h"
#include "analyzer/clocks/shared_correction.h"
#include "analyzer/clocks/violations.h"
#include "analyzer/collate/communication.h"
#include "analyzer/collate/experiment_builder.h"
#include "analyzer/collate/hardware.h"
#include "analyzer/collate/instances.h"
#include "analyzer/collate/off_processor.h"
#include "analyzer/collate/sampled_time.h"
#include "analyzer/matching/matches.h"
#include "analyzer/matching/requests.h"
#include "analyzer/memory/record_file.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/search.h"
#include "analyzer/read_trace.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/unrecorded.h"

namespace holos::analyzer {

namespace {

using replay::ReplayedTrace;
using trace::LocationId;

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
        matching::linkRequests(trace, reading.workers);
        const auto matches = matching::matchRecords(trace, reading.workers, reading.memory);
        const auto found = patterns::findWaits({trace, matches}, reading.workers, reading.memory);
        result.diagnoses = clocks::clockViolations({trace, matches, found.waits}, reading.workers,
                                                   "the clocks were corrected");
        corrected.correction =
            clocks::correctClocks({trace, matches}, std::move(points), fine, parameters, reading.workers);
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
std::map<std::string, std::string> filesOfRun(const patterns::JudgedTrace& run,
                                              const paths::MergedTree& merged, workers::Workers& workers) {
    std::map<std::string, std::string> files;
    const std::vector<collate::Instance> instances = collate::severestInstances(run, merged, workers);
    if (!instances.empty()) files[kInstancesName] = collate::describe(instances, run.trace, merged);
    const std::vector<algebra::Traffic> traffic = collate::communication(run, workers);
    if (!traffic.empty()) files[algebra::kCommunicationFile] = algebra::communicationText(traffic);
    return files;
}

/// What the analysis leaves out it leaves out everywhere: that is said once.
class DiagnosisList {
  public:
    void add(const std::vector<Diagnosis>& some) {
        for (const Diagnosis& diagnosis : some) add(diagnosis);
    }
    std::vector<Diagnosis> take() { return std::move(all_); }

  private:
    void add(const Diagnosis& diagnosis) {
        const auto [known, isNew] = diagnosis.trouble == Trouble::NotAnalyzed
                                        ? leftOut_.try_emplace(diagnosis.message, all_.size())
                                        : std::pair(leftOut_.end(), true);
        if (isNew) {
            all_.push_back(diagnosis);
            return;
        }
        Diagnosis& everywhere = all_[known->second];
        everywhere.count += diagnosis.count;
        everywhere.location = everywhere.event = std::nullopt;
        everywhere.time = std::nullopt;
    }

    std::vector<Diagnosis> all_;
    std::map<std::string, std::size_t> leftOut_;  ///< by message: position in `all_`
};

/// `others`: of the trace as a whole.
std::vector<Diagnosis> gatherDiagnoses(const matching::MatchedTrace& run,
                                       const std::vector<Diagnosis>& others) {
    DiagnosisList all;
    for (const std::string& problem : run.trace.definitions.problems)
        all.add({{Trouble::MissingDefinition, problem, {}, {}, {}, 1}});
    for (std::size_t i = 0; i < run.trace.locations.size(); ++i) {
        all.add(run.trace.locations[i].diagnoses);
        all.add(run.matches.messages.diagnoses[i]);
    }
    all.add(others);
    return all.take();
}

void storeDiagnoses(const std::vector<Diagnosis>& diagnoses, algebra::Experiment& experiment) {
    if (diagnoses.empty()) return;
    experiment.files[kDiagnosesName] = describe(diagnoses);
    experiment.attributes.emplace_back(kDiagnosesName, std::to_string(diagnoses.size()));
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
    workers = workers::makeThreads(threadsWhileReading(options, ranks) * ranks.onThisMachine());
    clock.begin("matching and patterns");
    matching::linkRequests(trace, *workers);
    matching::Matches matches = matching::matchRecords(trace, *workers, reading.memory);
    patterns::Findings found = patterns::findWaits({trace, matches}, *workers, reading.memory);
    const auto append = [&](const std::vector<Diagnosis>& some) {
        result.diagnoses.insert(result.diagnoses.end(), some.begin(), some.end());
    };
    append(unrecordedOperations(trace));
    append(matches.collectives.diagnoses);
    if (!options.correctClocks)
        append(
            clocks::clockViolations({trace, matches, found.waits}, *workers, "waiting ends with the call"));
    result.diagnoses = gatherDiagnoses({trace, matches}, result.diagnoses);
    result.statistics.messages = matches.messages.pairs;
    result.statistics.collectives = matches.collectives.complete;
    clock.begin("call tree");
    paths::MergedTree merged = paths::mergeCallTrees(trace, *workers);
    std::map<std::string, std::string> files = filesOfRun({trace, matches, found.waits}, merged, *workers);
    std::vector<causes::LocationCauses> causes;
    clock.begin("causes");
    if (options.causes)
        causes = causes::findCauses(trace, std::move(matches), std::move(found.waits), merged, *workers,
                                    {.asScalasca = options.causesAsScalasca}, reading.memory);
    clock.begin("experiment");
    result.experiment =
        collate::buildExperiment(trace, std::move(merged), found.severities, causes, *workers);
    collate::addHardware(result.experiment, trace.definitions);
    collate::addOffProcessor(result.experiment);
    collate::markSampledTime(result.experiment, trace);
    result.experiment.files.merge(files);
    storeDiagnoses(result.diagnoses, result.experiment);
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
