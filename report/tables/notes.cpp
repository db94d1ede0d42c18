// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/processors.h"
#include "algebra/model/queries.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "base/function_name.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/utc_time.h"
#include "report/tables/summary.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::tables {
namespace {

constexpr const char* kAttribute = "holos::snapshot";

std::string secondsText(std::int64_t nanoseconds) {
    return fmt::format("{:.3g} s", static_cast<double>(nanoseconds) * 1e-9);
}

}  // namespace

std::string snapshotText(const archive::Snapshot& snapshot) {
    std::string text = readableTime(snapshot.moment().time.realtime);
    const auto& age = snapshot.age();
    if (!age) return text;
    text += "; the newest event was " + secondsText(age->newest) + " old";
    constexpr std::int64_t kWorthSaying = 1'000'000'000;
    if (age->oldest - age->newest > kWorthSaying)
        text += fmt::format(", and process {} on {} had recorded none for {}", age->process, age->host,
                            secondsText(age->oldest));
    return text;
}

void markAsSnapshot(algebra::Experiment& experiment, const archive::Snapshot& snapshot) {
    algebra::setAttribute(experiment.attributes, kAttribute, snapshotText(snapshot));
}

std::optional<std::string> snapshotText(const algebra::Experiment& experiment) {
    const auto text = algebra::attribute(experiment.attributes, kAttribute);
    if (!text) return std::nullopt;
    return "a snapshot of a run that went on, with what it had recorded until " + *text;
}

using namespace algebra;

namespace {

/// Of all time, and in seconds: less does not matter, or is too short for samples.
constexpr double kMuch = 0.2;
constexpr double kLong = 1;

/// How regions are called that were seen on the stack.
constexpr const char* kSeen = "sampling";

}  // namespace

namespace {

/// Whether calls with events are executed more often than the function on the stack: it has a loop around
/// them, and may not have returned between two of them, or have been called again. The time is booked there
/// in both cases (docs/call-paths.md).
bool mayBeOfCallers(const Experiment& experiment, CallPathId function) {
    const auto visits = experiment.findMetric("visits");
    if (!visits) return false;
    const auto values = perCallPath(experiment, {*visits}, Extent::Exclusive);
    return std::ranges::any_of(experiment.callTree.subtree(function), [&](CallPathId path) {
        return experiment.regionOf(path).paradigm != kSeen && values[path.index()] > values[function.index()];
    });
}

}  // namespace

std::optional<std::string> unsampledText(const Experiment& experiment) {
    if (!brokenLawsOf(experiment).empty() || isOfNoRun(experiment)) return std::nullopt;
    const auto time = experiment.findMetric("time"), computation = experiment.findMetric("comp");
    const bool isSeen = std::ranges::any_of(experiment.regions,
                                            [](const Region& region) { return region.paradigm == kSeen; });
    if (!time || !computation || !isSeen || experiment.findMetric("samples")) return std::nullopt;
    const auto values = perCallPath(experiment, {*computation}, Extent::Exclusive);
    double sum = 0;
    std::optional<CallPathId> most;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (experiment.regionOf(path).paradigm != kSeen) continue;
        sum += values[path.index()];
        if (!most || values[path.index()] > values[most->index()]) most = path;
    }
    const double all = aggregate(experiment, {*time});
    if (!(sum >= kLong && sum >= kMuch * all)) return std::nullopt;
    const bool isOfCallers = mayBeOfCallers(experiment, *most);
    return fmt::format(
        "{:.1f} % of the time is computation between events, such as that of {} {} call{}: 'holos record "
        "--sample 10ms' tells which functions took it",
        100 * sum / all, folded(experiment.regionOf(*most).name, Folding::All),
        isOfCallers ? "or its callers and what these" : "and what it", isOfCallers ? "" : "s");
}

namespace {

/// Of a thread's time, and in seconds. Less is what interrupts and page faults take, too, or does not matter.
constexpr double kMuchOfTime = 0.05;
constexpr double kLongSleep = 0.1;
constexpr std::size_t kNamed = 3;

struct Sleeper {
    LocationId thread;
    double slept = 0;  ///< seconds
    double computation = 0;
    bool mayHaveWaited = false;  ///< for a processor: how long it did is not known
};

std::vector<Sleeper> sleepersIn(const Experiment& experiment) {
    const auto time = experiment.findMetric("time"), computation = experiment.findMetric("comp"),
               off = experiment.findMetric("off_processor"), unseen = experiment.findMetric("unseen_sleep");
    std::vector<Sleeper> found;
    if (!algebra::isOfRun(experiment)) return found;
    if (!time || !computation || !off || !unseen) return found;
    const auto perThread = [&](MetricId metric) { return perPart(experiment, metric, Per::Threads); };
    const auto times = perThread(*time), computations = perThread(*computation), offs = perThread(*off),
               unseens = perThread(*unseen);
    const std::vector<SystemPart> threads = partsOf(experiment.system, Per::Threads);
    for (std::size_t at = 0; at < threads.size(); ++at) {
        const LocationId thread = threads[at].location.value();
        const auto known = processorTimeOf(experiment.system[thread]);
        const bool mayHaveWaited = !known || !known->waiting;
        const double slept = mayHaveWaited ? offs[at] : unseens[at];
        if (slept >= kLongSleep && slept >= kMuchOfTime * times[at])
            found.push_back({thread, slept, computations[at], mayHaveWaited});
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Sleeper::slept);
    return found;
}

std::string sleeperText(const Experiment& experiment, const Sleeper& sleeper) {
    return fmt::format(
        "{} slept {}for at least {:.3f} s of the {:.3f} s that are called its computation, in a way that the "
        "recorder does not see",
        locationText(experiment, sleeper.thread), sleeper.mayHaveWaited ? "or waited for a processor " : "",
        sleeper.slept, sleeper.computation);
}

}  // namespace

std::vector<std::string> unseenSleepTexts(const Experiment& experiment) {
    if (!brokenLawsOf(experiment).empty() || isOfNoRun(experiment)) return {};
    std::vector<std::string> texts;
    const std::vector<Sleeper> sleepers = sleepersIn(experiment);
    for (std::size_t at = 0; at < std::min(kNamed, sleepers.size()); ++at)
        texts.push_back(sleeperText(experiment, sleepers[at]));
    if (sleepers.size() > kNamed)
        texts.push_back(fmt::format("so did {}; --metric off_processor shows all",
                                    counted(sleepers.size() - kNamed, "more thread")));
    const auto& locations = experiment.system.locations;
    const auto lacking =
        static_cast<std::size_t>(std::ranges::count_if(locations, [](const Location& location) {
            return location.type == Location::Type::Thread && lacksProcessorTime(location);
        }));
    if (lacking != 0)
        texts.push_back(
            fmt::format("how long {} on processors is not known, as the end was not recorded: sleep that was "
                        "not seen counts as computation there",
                        counted(lacking, "thread") + (lacking == 1 ? " was" : " were")));
    return texts;
}

namespace {

algebra::Experiment analyzed(const std::filesystem::path& trace, const std::function<void()>& check) {
    analyzer::AnalysisOptions options;
    options.progress = [&check](const analyzer::AnalysisProgress&) { check(); };
    options.recordFolder = placeOfTemporaries();
    algebra::Experiment experiment = analyzer::analyze(trace, options).experiment;
    analyzer::addRecordedFacts(experiment, trace);
    return algebra::applySpecification(std::move(experiment), "auto");
}

}  // namespace

RecordedSoFar recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check) {
    while (archive::needsFinish(folder)) {
        const archive::Snapshot snapshot(folder, placeOfTemporaries(), check);
        if (!snapshot.isWhole()) continue;  // its trace is made: there is more now
        algebra::Experiment experiment = analyzed(snapshot.path(), check);
        markAsSnapshot(experiment, snapshot);
        return {std::move(experiment), snapshotText(snapshot), false};
    }
    return {analyzed(folder, check), {}, true};
}

}  // namespace holos::tables
