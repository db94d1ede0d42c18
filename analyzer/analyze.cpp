// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "algebra/insight/summary/result_laws.h"
#include "algebra/model/communication.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/assemble/additions.h"
#include "analyzer/assemble/experiment_builder.h"
#include "analyzer/assemble/wait_records.h"
#include "analyzer/causes/causes.h"
#include "analyzer/clocks/clock_correction.h"
#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/clocks/violations.h"
#include "analyzer/diagnoses.h"
#include "analyzer/laws.h"
#include "analyzer/matching/matches.h"
#include "analyzer/memory/records.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/search.h"
#include "analyzer/read_trace.h"
#include "analyzer/recorded_facts.h"
#include "analyzer/replay/clock.h"
#include "analyzer/run_course.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/part_of_run.h"
#include "base/error.h"
#include "base/packing.h"

namespace holos::analyzer {
namespace {

/// Clocks for a second reading, in which the events come in their logical order.
struct CorrectedClocks {
    clocks::ClockCorrection correction;
    trace::Clock clock;  ///< that counts the corrected times
    std::vector<std::unique_ptr<clocks::CorrectedClock>> byLocation;
    std::vector<Diagnosis> diagnoses;  ///< of what was in an impossible order
};

using clocks::ClockPoints;
using clocks::Correction;

template <class Packing>
void describe(Packing& packing, ClockPoints& points) {
    packing.value(points.begin);
    packing.list(points.list);
}

template <class Packing>
void describe(Packing& packing, Correction& correction) {
    packing.list(correction.jumps);
    correction.shift.pack(packing);
}

/// Rank `from`'s values of what rank `reader` reads come to rank `to`.
template <class Value>
void bring(workers::Ranks& ranks, const workers::Shares& shares, unsigned reader, unsigned from, unsigned to,
           std::vector<Value>& values) {
    if (ranks.self() == from) {
        Packer packer;
        for (const trace::LocationId location : shares.of(reader)) describe(packer, values[location.index()]);
        ranks.send(to, packer.take());
    } else if (ranks.self() == to) {
        Unpacker unpacker(ranks.receive(from));
        for (const trace::LocationId location : shares.of(reader))
            describe(unpacker, values[location.index()]);
    }
}

/// What each rank noted of the locations that it read goes to the first.
void bringToFirst(Reading& reading, std::vector<ClockPoints>& points) {
    for (unsigned rank = 1; rank < reading.ranks.count(); ++rank)
        bring(reading.ranks, reading.shares, rank, rank, 0, points);
}

/// What the first rank found out about locations goes to those who read them.
void bringFromFirst(Reading& reading, std::vector<Correction>& locations) {
    for (unsigned rank = 1; rank < reading.ranks.count(); ++rank)
        bring(reading.ranks, reading.shares, rank, 0, rank, locations);
}

/// Reads the trace once to see which events follow which. The first rank finds out what has to be done, and
/// each has it for the locations that it reads.
CorrectedClocks correctClocks(Reading reading, const trace::Definitions& definitions,
                              const std::vector<trace::RegionClass>& classes,
                              const clocks::ClockParameters& parameters) {
    const clocks::FineTicks fine(definitions.clock);
    std::vector<std::unique_ptr<clocks::ClockSurvey>> surveys;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        surveys.push_back(std::make_unique<clocks::ClockSurvey>(fine, parameters));
    reading.withCounters = false;
    reading.clockOf = [&](trace::LocationId location) { return surveys[location.index()].get(); };
    const replay::ReplayedTrace trace{definitions, readTrace(reading, definitions, classes).traces};
    std::vector<clocks::ClockPoints> points;
    for (const auto& survey : surveys) points.push_back(survey->take());
    bringToFirst(reading, points);

    CorrectedClocks corrected{{}, fine.clock(), {}, {}};
    corrected.correction.locations.resize(definitions.locations.size());
    reading.ranks.agree([&] {
        if (!reading.ranks.isFirst()) return;
        auto [matches, operations] = matching::matchRecords(trace, reading.workers, reading.memory);
        const patterns::Waits waits =
            patterns::findWaits({trace, matches}, std::move(operations), reading.workers, reading.memory)
                .waits;
        corrected.diagnoses =
            clocks::clockViolations({trace, matches, waits}, reading.workers, "the clocks were corrected");
        corrected.correction =
            clocks::correctClocks({trace, matches}, std::move(points), fine, parameters, reading.workers);
    });
    bringFromFirst(reading, corrected.correction.locations);
    for (const clocks::Correction& correction : corrected.correction.locations)
        corrected.byLocation.push_back(
            std::make_unique<clocks::CorrectedClock>(fine, parameters, correction));
    return corrected;
}

/// What is there before the first event is read.
struct Opened {
    std::filesystem::path anchor;
    trace::Definitions definitions;
    std::unique_ptr<RecordFile> file;  ///< null where memory is not limited
    std::vector<trace::RegionClass> classes;
};

Opened open(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options,
            workers::Ranks& ranks) {
    Opened opened;
    ranks.attempt([&] {
        opened.anchor = trace::findAnchor(archiveOrDirectory);
        opened.definitions = trace::readDefinitions(opened.anchor);
        opened.definitions.hasAllMessages = isOwnTrace(opened.anchor);
        if (const auto limit = options.memoryLimit.limit())
            opened.file = std::make_unique<RecordFile>(*limit, options.recordFolder);
    });
    opened.classes = trace::classifyRegions(opened.definitions);
    return opened;
}

/// The stages after replay. Each takes what it needs as constants and returns what it found, so that an order
/// in which something is missing does not compile.
class Evaluation {
  public:
    Evaluation(const AnalysisOptions& options, Memory memory, workers::Workers& workers, PhaseClock& phases)
        : options_(options), memory_(memory), workers_(workers), phases_(phases) {}

    /// `clockDiagnoses`: of clocks that were corrected.
    AnalysisResult run(const replay::ReplayedCalls& calls, replay::ReplayedTrace trace,
                       const std::vector<Diagnosis>& clockDiagnoses) const {
        AnalysisResult result;
        algebra::Attributes broken = checksLaws() ? brokenLaws(calls, trace) : algebra::Attributes();
        begin("matching and patterns");
        auto [matches, operations] = matching::matchRecords(trace, workers_, memory_);
        patterns::Findings found =
            patterns::findWaits({trace, matches}, std::move(operations), workers_, memory_);
        result.diagnoses = diagnosesOf(calls, {trace, matches, found.waits}, clockDiagnoses);
        result.statistics.messages = matches.messages.pairs;
        result.statistics.collectives = matches.collectives.complete;

        begin("call tree");
        paths::MergedTree merged = paths::mergeCallTrees(calls, workers_);
        auto files = filesOf({trace, matches, found.waits}, calls, merged);
        std::optional<RunCourse> course = courseOf({trace, matches, found.waits}, calls);

        const auto withOneThread = secondsWithOneThread(trace);
        begin("causes");  // the last stage that needs the records: it frees them as it goes on
        std::vector<causes::LocationCauses> causes;
        causes::CauseCourse inTime;
        if (course) inTime.tellDelay = course->delays();
        if (options_.causes)
            causes = causes::findCauses(std::move(trace), std::move(matches), std::move(found.waits), calls,
                                        merged, workers_, {.asScalasca = options_.causesAsScalasca}, memory_,
                                        course ? &inTime : nullptr);
        if (course) {
            course->addCauses(inTime);
            throwIfStopped(options_.stopped);
            course->write(options_.course);
        }

        begin("experiment");
        PageReuse::giveBack();
        // In a part of a run calls seem to end with it.
        const auto unfinished = options_.range ? std::vector<assemble::UnfinishedCall>()
                                               : assemble::unfinishedCalls(calls, merged);
        algebra::WantedSums sums;
        result.experiment = assemble::buildExperiment(calls, std::move(merged), found.severities, causes,
                                                      workers_, assemble::metricCatalog(), &sums);
        assemble::addHardware(result.experiment, calls.definitions);
        assemble::addOffProcessor(result.experiment);
        assemble::addUnfinishedCalls(result.experiment, unfinished);
        assemble::markSampledTime(result.experiment, calls);
        result.experiment.files.merge(files);
        if (!options_.range && !options_.causesAsScalasca && broken.empty())
            storeLength(calls, withOneThread, result.experiment);
        for (auto& law : broken) result.experiment.attributes.push_back(std::move(law));
        begin("laws");
        for (algebra::BrokenResultLaw& law : algebra::brokenResultLaws(result.experiment, std::move(sums)))
            result.diagnoses.push_back({Trouble::Contradiction,
                                        std::move(law.text) + ", so the summary does not tell it",
                                        {},
                                        {},
                                        {}});
        begin("statistics, cleaning up");  // of what this function and its caller have: no small part
        storeDiagnoses(result.diagnoses, result.experiment);
        markDamaged(result.diagnoses, calls.definitions, result.experiment);
        return result;
    }

  private:
    void begin(const char* phase) const {
        throwIfStopped(options_.stopped);
        phases_.begin(phase);
    }

    /// Unknown where the trace does not tell it.
    static void storeLength(const replay::ReplayedCalls& calls, std::optional<double> withOneThread,
                            algebra::Experiment& experiment) {
        const auto length =
            std::min<std::uint64_t>(calls.definitions.clock.length, replay::EventTimes::kLatest);
        if (length > 0)
            algebra::setAttribute(
                experiment.attributes, algebra::kSecondsOfRunAttribute,
                fmt::format("{}", calls.definitions.seconds(static_cast<trace::Ticks>(length))));
        if (withOneThread)
            algebra::setAttribute(experiment.attributes, algebra::kSecondsWithOneThreadAttribute,
                                  fmt::format("{}", *withOneThread));
    }

    /// Of threads that come and go: for how long the first one of the only process was the only one.
    static std::optional<double> secondsWithOneThread(const replay::ReplayedTrace& trace) {
        if (trace.definitions.processes.size() != 1) return std::nullopt;
        const std::vector<trace::LocationId>& threads = trace.definitions.processes.front().threads;
        if (threads.size() < 2) return std::nullopt;
        const replay::LocationTrace& first = trace.locations[threads.front().index()];
        std::vector<std::pair<trace::Ticks, trace::Ticks>> lives;
        for (const trace::LocationId thread : threads)
            if (thread != threads.front() && trace.locations.has(thread.index()))
                lives.emplace_back(trace.locations[thread.index()].begin,
                                   trace.locations[thread.index()].end);
        std::ranges::sort(lives);
        trace::Ticks alone = 0, until = first.begin;
        for (const auto& [begin, end] : lives) {
            alone += std::max<trace::Ticks>(0, std::min(begin, first.end) - until);
            until = std::max(until, end);
        }
        return trace.definitions.seconds(alone + std::max<trace::Ticks>(0, first.end - until));
    }

    /// Where times are those of the trace.
    bool checksLaws() const { return !options_.range && !options_.otherTimes; }

    /// Nothing where nobody wants it.
    std::optional<RunCourse> courseOf(const patterns::JudgedTrace& run,
                                      const replay::ReplayedCalls& calls) const {
        if (options_.course.empty()) return std::nullopt;
        RunCourse course(calls.definitions);
        course.addWaits(run);
        course.addOperations(run, calls);
        return course;
    }

    std::vector<Diagnosis> diagnosesOf(const replay::ReplayedCalls& calls, const patterns::JudgedTrace& run,
                                       std::vector<Diagnosis> others) const {
        const auto append = [&](const std::vector<Diagnosis>& some) {
            others.insert(others.end(), some.begin(), some.end());
        };
        append(unrecordedOperations(run.trace, calls));
        append(run.matches.collectives.diagnoses);
        if (!options_.correctClocks)
            append(clocks::clockViolations(run, workers_, "waiting ends with the call"));
        return gatherDiagnoses(calls, run.matches, others);
    }

    /// The longest waits, who sent what to whom, when there was waiting, and in which of the recorded
    /// periods.
    std::map<std::string, std::string> filesOf(const patterns::JudgedTrace& run,
                                               const replay::ReplayedCalls& calls,
                                               const paths::MergedTree& merged) const {
        std::map<std::string, std::string> files;
        const std::vector<assemble::Instance> instances = assemble::severestInstances(run, merged, workers_);
        if (!instances.empty())
            files[kInstancesName] = assemble::instancesText(instances, run.trace.definitions, merged);
        const std::vector<algebra::Traffic> traffic = assemble::communication(run, workers_);
        if (!traffic.empty()) files[algebra::kCommunicationFile] = algebra::communicationText(traffic);
        const std::vector<algebra::WaitCourse> courses = assemble::waitCourses(run, workers_);
        if (!courses.empty()) files[algebra::kWaitCourseFile] = algebra::waitCourseText(courses);
        const algebra::PeriodWaits periods = assemble::periodWaits(run, calls, workers_);
        if (!periods.lengths.empty()) files[algebra::kPeriodsFile] = algebra::periodWaitsText(periods);
        return files;
    }

    /// Locations of which the file of events is missing or ends early: what they have is not all that they
    /// did.
    static void markDamaged(const std::vector<Diagnosis>& diagnoses, const trace::Definitions& definitions,
                            algebra::Experiment& experiment) {
        std::set<std::uint64_t> damaged;
        for (const Diagnosis& diagnosis : diagnoses)
            if (diagnosis.trouble == Trouble::DamagedFile && diagnosis.location &&
                diagnosis.event.value_or(0) == 0)  // else a single event
                damaged.insert(*diagnosis.location);
        if (damaged.empty()) return;
        auto& locations = experiment.system.locations;
        for (std::size_t at = 0; at < locations.size(); ++at)
            if (damaged.contains(definitions.locations[at].reference))
                algebra::setAttribute(locations[at].attributes, algebra::kDamagedAttribute, "1");
    }

    static void storeDiagnoses(const std::vector<Diagnosis>& diagnoses, algebra::Experiment& experiment) {
        if (diagnoses.empty()) return;
        experiment.files[kDiagnosesName] = diagnosesText(diagnoses);
        experiment.attributes.emplace_back(kDiagnosesName, std::to_string(diagnoses.size()));
    }

    const AnalysisOptions& options_;
    Memory memory_;
    workers::Workers& workers_;
    PhaseClock& phases_;
};

/// How much was read.
void addStatistics(const replay::ReplayedCalls& calls, const CorrectedClocks& corrected,
                   const RecordFile* file, AnalysisResult& result) {
    AnalysisStatistics& statistics = result.statistics;
    for (const replay::LocationCalls& location : calls.locations) statistics.events += location.events;
    statistics.locations = calls.locations.size();
    statistics.callPaths = result.experiment.callTree.size();
    statistics.clockViolations = corrected.correction.violations;
    statistics.largestCorrection = corrected.correction.largest;
    if (file == nullptr) return;
    statistics.recordsInFile = file->largest();
    statistics.evictions = file->evictions();
}

/// One for each location.
std::vector<std::unique_ptr<replay::RangeClock>> rangeClocks(const RunRange& range,
                                                             const trace::Definitions& definitions) {
    const trace::PartOfRun part = trace::partOfRun(definitions, range.from, range.to);
    // The last event is in the last part.
    const bool isLast = part.to == static_cast<trace::Ticks>(definitions.clock.length);
    std::vector<std::unique_ptr<replay::RangeClock>> clocks;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        clocks.push_back(std::make_unique<replay::RangeClock>(part.from, part.to + (isLast ? 1 : 0)));
    return clocks;
}

/// The levels of detail beside the trace, which tell what lies outside of a range; null where there are none
/// of this trace: it is read in whole then.
std::unique_ptr<timeline::Levels> levelsBeside(const Opened& opened) {
    try {
        return std::make_unique<timeline::Levels>(timeline::levelsFile(opened.anchor), opened.anchor,
                                                  opened.definitions);
    } catch (const Error&) {
        return nullptr;
    }
}

/// What need not be read for a range; nothing where the levels are damaged.
std::vector<trace::QuietCalls> outside(const replay::RangeClock& range, const timeline::Levels& levels,
                                       trace::LocationId location) {
    try {
        std::vector<trace::QuietCalls> calls = levels.quiet(location.index());
        std::erase_if(calls, [&](const trace::QuietCalls& some) {
            const bool hasFirstEvent = some.first == 0;  // in older levels
            return hasFirstEvent || !range.isOutside(some);
        });
        return calls;
    } catch (const Error&) {
        return {};
    }
}

/// For files without what need not be read; null where nothing can be written.
std::unique_ptr<trace::ShortenedArchive> shortenedArchive(const Opened& opened,
                                                          const std::filesystem::path& folder) {
    try {
        return std::make_unique<trace::ShortenedArchive>(opened.anchor, folder);
    } catch (const Error&) {
        return nullptr;
    }
}

/// Takes away what locations of their own read from time to time, for a process or a node: nobody knows what
/// they would have read at other times.
void takeReadings(const trace::Definitions& definitions, ByLocation<replay::LocationCalls>& calls) {
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (definitions.locations[i].kind == trace::Location::Kind::Metric && calls.has(i))
            calls.own(i).counters = {};
}

unsigned threadsWhileReading(const AnalysisOptions& options, const workers::Ranks& ranks) {
    return options.threads == 0 && ranks.count() > 1 ? 1 : options.threads;
}

}  // namespace

AnalysisResult analyze(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options) {
    const PageReuse reuse;
    PhaseClock phases;
    phases.begin("definitions");
    workers::Alone alone;
    workers::Ranks& ranks = options.ranks != nullptr ? *options.ranks : alone;
    Opened opened = open(archiveOrDirectory, options, ranks);
    trace::Definitions& definitions = opened.definitions;
    const workers::Shares shares(definitions, ranks.count());
    auto workers = workers::makeThreads(threadsWhileReading(options, ranks));
    ProgressMeter meter(options.progress, definitions, shares.of(ranks.self()), options.correctClocks ? 2 : 1,
                        options.stopped);
    Reading reading{opened.anchor, ranks, shares, *workers, meter};
    if (opened.file) reading.memory = opened.file.get();

    CorrectedClocks corrected;
    if (options.correctClocks) {
        phases.begin("clock correction");
        corrected = correctClocks(reading, definitions, opened.classes, *options.correctClocks);
        definitions.clock = corrected.clock;
        reading.clockOf = [&](trace::LocationId location) {
            return corrected.byLocation[location.index()].get();
        };
    }
    if (options.otherTimes) {
        definitions.clock.length = options.otherTimes->length;
        reading.withCounters = false;
        reading.clockOf = [&](trace::LocationId location) {
            return options.otherTimes->clockOf(location.index());
        };
    }
    std::vector<std::unique_ptr<replay::RangeClock>> ranges;
    std::unique_ptr<timeline::Levels> levels;
    std::unique_ptr<trace::ShortenedArchive> shortened;
    if (options.range) {
        ranks.attempt([&] { ranges = rangeClocks(*options.range, definitions); });
        reading.clockOf = [&](trace::LocationId location) { return ranges[location.index()].get(); };
        if (levels = levelsBeside(opened); levels) {
            reading.passedOf = [&](trace::LocationId location) {
                return outside(*ranges[location.index()], *levels, location);
            };
            shortened = shortenedArchive(opened, options.recordFolder);
            reading.shortened = shortened.get();
        }
    }
    phases.begin("reading and replay");
    reading.withProfiles = options.causes;
    Replay replay = readTrace(reading, definitions, opened.classes);
    ranks.finish();
    if (!ranks.isFirst()) return {};
    replay.forks.reset();
    if (options.otherTimes) takeReadings(definitions, replay.calls);
    trimHeap();

    workers = std::make_unique<workers::Stoppable>(
        workers::makeThreads(threadsWhileReading(options, ranks) * ranks.onThisMachine()), options.stopped);
    const replay::ReplayedCalls calls{definitions, opened.classes, std::move(replay.calls),
                                      std::move(replay.diagnoses)};
    const Evaluation evaluation(options, reading.memory, *workers, phases);
    AnalysisResult result =
        evaluation.run(calls, {definitions, std::move(replay.traces)}, corrected.diagnoses);
    addStatistics(calls, corrected, opened.file.get(), result);
    if (options.range)
        result.experiment.attributes.emplace_back(
            kRangeName, fmt::format("{} {}", options.range->from, options.range->to));
    result.statistics.phases = phases.take();
    meter.finish();
    return result;
}

}  // namespace holos::analyzer
