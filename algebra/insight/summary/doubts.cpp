// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// What the analysis of a trace has left out or repaired, a line each.
constexpr const char* kDiagnosesFile = "holos.diagnoses";
/// Of a profile, in which nothing else shows where events are missing.
constexpr const char* kWhatLossMeans =
    ": what happened in that time is missing, or its time counts as computation";
/// Says that threads moved between cores.
constexpr std::string_view kMovesAttribute = "holos::moves";

/// Paradigms of what is recorded anyway, without call paths.
constexpr std::array<std::string_view, 6> kEvents{"mpi", "openmp",      "pthread",
                                                  "io",  "measurement", "measurement system"};

bool isEvent(const Region& region) {
    return std::ranges::find(kEvents, region.paradigm) != kEvents.end();
}

/// What would tell more, where Holos recorded the run.
std::string recordingWith(const Experiment& experiment, const char* command) {
    return isOwnRecording(experiment) ? command : "";
}

/// The root of own recordings, and of many others; roots of some traces are functions.
bool isProgram(const Experiment& experiment, CallPathId path, bool isOwn) {
    const Region& region = experiment.regionOf(path);
    return !experiment.callTree.parent(path) && (isOwn || isEvent(region) || region.name == "main" ||
                                                 region.role == "artificial" || region.role == "program");
}

/// Of what stands below the program itself: nothing, events alone, or functions too.
void addCallPaths(const Experiment& experiment, std::vector<Doubt>& doubts) {
    const bool isOwn = isOwnRecording(experiment);
    bool hasEvents = false;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (isProgram(experiment, path, isOwn)) continue;
        if (!isEvent(experiment.regionOf(path))) return;
        hasEvents = true;
    }
    if (hasEvents)
        doubts.push_back({"No call paths were recorded: it is not known which functions compute",
                          recordingWith(experiment, "holos record --call-paths full")});
    else
        doubts.push_back(
            {"Nothing that this program does was recorded: it is not known which functions compute",
             recordingWith(experiment, "holos record --sample 10ms")});
}

/// What the recorder has noted of a run; lost events first, as they change the times.
void addNotes(const std::string& text, std::vector<Doubt>& doubts) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> notes;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) notes.push_back(std::move(line));
    const auto isLoss = [](const std::string& note) { return note.find(" lost ") != std::string::npos; };
    std::stable_partition(notes.begin(), notes.end(), isLoss);
    const std::size_t shown = std::min(kMost, notes.size());
    for (std::size_t i = 0; i < shown; ++i)
        doubts.push_back({notes[i] + (isLoss(notes[i]) ? kWhatLossMeans : ""), {}});
    if (shown < notes.size())
        doubts.push_back({counted(notes.size() - shown, "more note") +
                              " on this recording: they are in the 'notes' of its measurement.json",
                          {}});
}

/// Results that contradict each other are told elsewhere, and the trace may be sound. Parameters of calls say
/// nothing of times.
std::size_t damagesIn(const std::string& diagnoses) {
    const auto isDamage = [](const std::string& line) {
        return line.find(": contradiction: ") == std::string::npos &&
               line.find(": not analyzed: parameters of calls ") == std::string::npos;
    };
    std::size_t damages = 0;
    std::istringstream lines(diagnoses);
    for (std::string line; std::getline(lines, line);) damages += isDamage(line) ? 1 : 0;
    return damages;
}

std::string diagnosesOf(const Experiment& experiment) {
    const auto file = experiment.files.find(kDiagnosesFile);
    return file == experiment.files.end() ? std::string() : file->second;
}

void addDiagnoses(const Measures& measures, std::vector<Doubt>& doubts) {
    const Experiment& experiment = measures.experiment();
    const std::string text = diagnosesOf(experiment);
    if (!measures.knowsWaits()) return addNotes(text, doubts);
    const std::size_t lines = damagesIn(text);
    if (text.find("clock violation") != std::string::npos)
        doubts.push_back(
            {"Clocks put events in an impossible order, so that waiting times there are not exact",
             "holos analyze --correct-clocks RUN"});
    else if (lines > 0)
        doubts.push_back({"The trace has gaps or damage: " + counted(lines, "kind") + " of it",
                          "holos analyze --verbose RUN"});
}

void addOnlyThread(const Measures& measures, std::vector<Doubt>& doubts) {
    const double alone = secondsOfOnlyThread(measures);
    if (alone > 0)
        doubts.push_back({fmt::format("For at least {} of {} the first thread works while there is no other "
                                      "one: what it does then is not shared out",
                                      secondsText(alone), secondsText(measures.wall())),
                          {}});
}

}  // namespace

double idleAtStart(const Measures& measures) {
    const std::vector<double> start = measures.perPath({"mpi_init_exit"}),
                              idle = measures.perPath(idleThreads().waits);
    double sum = 0;
    for (std::size_t path = 0; path < start.size(); ++path)
        if (start[path] > 0) sum += std::max(0.0, idle[path]);
    return sum;
}

double secondsOfOnlyThread(const Measures& measures) {
    constexpr double kMuchOfTheRun = 0.2;
    if (measures.processes().size() != 1 || measures.threads().size() < 2) return 0;
    const LocationId first = measures.processes().front().threads.front();
    // Who waits for the end of a thread is not the only one.
    const std::vector<double> lives = measures.perLocation({"time"}),
                              works =
                                  measures.perLocation({"comp", "processor_waiting", "pthread_join_wait"});
    double alone = measures.wall();
    for (const LocationId thread : measures.threads())
        if (thread != first) alone -= lives[thread.index()];
    alone = std::max(alone, secondsWithOneThread(measures.experiment()).value_or(0));
    const double worksAlone = alone + works[first.index()] - measures.wall();
    return worksAlone >= kMuchOfTheRun * measures.wall() ? worksAlone : 0;
}

bool hasDamage(const Experiment& experiment) {
    return damagesIn(diagnosesOf(experiment)) > 0;
}

bool hasUnmatchedReceives(const Experiment& experiment) {
    return diagnosesOf(experiment).find("a receive has no send") != std::string::npos;
}

std::vector<Doubt> doubtsOf(const Measures& measures) {
    const Experiment& experiment = measures.experiment();
    std::vector<Doubt> doubts;
    for (const std::string& note : notRecordedOf(experiment)) doubts.push_back({note, {}});
    if (const auto text = starvationText(measures, starvationOf(measures))) doubts.push_back({*text, {}});
    // Of all of the run, also where a part of it was not recorded.
    const double start = (measures.percentOfStart() + measures.percent(idleAtStart(measures))) *
                         measures.time() / (measures.time() + measures.total("unrecorded"));
    if (start >= kMostlyStart)
        doubts.push_back(
            {fmt::format("Starting and ending MPI is {} of this run of {}: a longer one tells more about "
                         "the program",
                         percentText(start), secondsText(measures.wall())),
             {}});
    addOnlyThread(measures, doubts);
    addCallPaths(experiment, doubts);
    if (!measures.knowsWaits())
        doubts.push_back({"A profile has no wait states: it is not known who waits for whom",
                          recordingWith(experiment, "holos record without --profile")});
    else if (!measures.find("delay") && measures.find("mpi"))
        doubts.push_back({"Causes of waiting were left out: it is not known whom others wait for",
                          isOwnAnalysis(experiment) ? "holos analyze RUN" : ""});
    addDiagnoses(measures, doubts);
    if (const auto moves = attribute(experiment.attributes, kMovesAttribute))
        doubts.push_back(
            {"Threads moved between processors, so that times and counts vary more from run to run",
             "holos info"});
    return doubts;
}

}  // namespace holos::algebra
