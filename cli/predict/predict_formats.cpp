// SPDX-License-Identifier: BSD-3-Clause
#include "cli/predict/predict_formats.h"

// What a replay takes as recorded, where this run has it (docs/prediction.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/model/queries.h"
#include "base/json.h"
#include "base/text.h"

namespace holos::cli {
namespace {

using analyzer::ModelFacts;
using analyzer::NetworkFacts;
using Json = nlohmann::ordered_json;

/// With what a replay without changes may miss the recorded time before that is said.
constexpr double kCalibrated = 0.01;

double deviation(const ModelFacts& facts) {
    return facts.recorded > 0 ? facts.replayed / facts.recorded - 1 : 0;
}

std::string secondsText(double seconds) {
    return fmt::format("{:>12.6g} s", seconds);
}

std::string networkText(const NetworkFacts& network) {
    if (network.messages == 0) return "not known: no message was waited for";
    std::string text = network.latency < 1e-3 ? fmt::format("latency {:.3g} us", network.latency * 1e6)
                                              : fmt::format("latency {:.3g} ms", network.latency * 1e3);
    text += std::isinf(network.bandwidth) ? ", no limit of bandwidth seen"
                                          : fmt::format(", bandwidth {:.3g} GB/s", network.bandwidth / 1e9);
    if (network.eager) text += fmt::format(", messages up to {} bytes were sent at once", *network.eager);
    text += network.rendezvous
                ? fmt::format(", those of {} and more waited for their receiver", *network.rendezvous)
                : ", none is known to have waited for its receiver";
    return text +
           fmt::format(" ({} of {})", counted(network.messages, "message"), counted(network.sizes, "size"));
}

std::string trialsText(const PredictReport& report, const Style& style) {
    const auto& trials = *report.trials;
    if (trials.empty()) return "Nothing that was tried makes the run shorter by itself.\n";
    std::string text = style.strong("        gain   of the run   predicted   --if") + '\n';
    const std::size_t shown = report.top.of(trials.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const trials::Trial& trial = trials[i];
        text += fmt::format("{:>10.4g} s {:>10.1f} % {:>9.4g} s   {}\n", trial.gain,
                            100 * trial.gain / report.facts.replayed, trial.seconds,
                            printable("'" + trial.condition + "'"));
        if (!trial.reason.empty())
            text += style.faint(fmt::format("{:41}{}", "", printable(trial.reason))) + '\n';
    }
    if (shown < trials.size()) text += fmt::format("and {} more; --top 0 shows all\n", trials.size() - shown);
    return text;
}

}  // namespace

std::vector<std::string> modelNotes(const ModelFacts& facts) {
    std::vector<std::string> notes;
    if (std::abs(deviation(facts)) > kCalibrated)
        notes.push_back(
            fmt::format("the replay without changes misses the recorded time by {:.1f} %; predictions may be "
                        "off by as much",
                        100 * deviation(facts)));
    if (facts.unmatched != 0)
        notes.push_back(fmt::format("{} whose other end is not in the trace; nobody waits for these",
                                    facts.unmatched == 1
                                        ? "there is 1 end of a message"
                                        : fmt::format("there are {} ends of messages", facts.unmatched)));
    if (facts.contradicted != 0)
        notes.push_back(fmt::format(
            "{} left out: by the recorded times the waiting ended before what was waited for had happened; "
            "clocks may disagree",
            facts.contradicted == 1 ? "1 dependency was"
                                    : fmt::format("{} dependencies were", facts.contradicted)));
    if (facts.inVain != 0)
        notes.push_back(fmt::format(
            "what the program does after calls that find nothing, such as MPI_Test, and before it asks again "
            "is taken as needed, and as often as recorded: {}",
            counted(facts.inVain, "time")));
    if (facts.circular != 0)
        notes.push_back(fmt::format("{} waited for each other in a circle, which was broken",
                                    counted(facts.circular, "event")));
    return notes;
}

namespace {

/// All of them, the limits behind the facts.
std::vector<std::string> notesOf(const PredictReport& report) {
    std::vector<std::string> notes = modelNotes(report.facts);
    notes.insert(notes.end(), report.limits.begin(), report.limits.end());
    return notes;
}

/// How much of the time a replay cannot tell from waiting for progress.
std::string ownTimeText(const PredictReport& report) {
    constexpr double kShown = 0.0005;
    if (report.facts.ownInMpi < kShown) return {};
    std::string text = fmt::format(
        "own time {:>10.1f} %  of the time of threads that call MPI: what its calls take after everything that "
        "they wait\n                       for has come; it is replayed as recorded",
        100 * report.facts.ownInMpi);
    if (report.time && report.time->withoutOwn < report.time->seconds)
        text +=
            fmt::format("; without it, on an ideal network, the run takes {:.6g} s", report.time->withoutOwn);
    return text + '\n';
}

}  // namespace

std::string predictText(const PredictReport& report, const Style& style) {
    const ModelFacts& facts = report.facts;
    std::string text = "recorded " + secondsText(facts.recorded) + '\n';
    text += "replayed " + secondsText(facts.replayed) +
            fmt::format("  without changes ({:.2f} % off)\n", 100 * std::abs(deviation(facts)));
    if (report.time) {
        text += style.strong("predicted" + secondsText(report.time->seconds)) + "  with";
        for (const std::string& condition : report.conditions)
            text += (&condition == &report.conditions.front() ? " " : ", ") + printable(condition);
        text += fmt::format("\nrange    {:>12.6g} s  to {:.6g} s, as own time in MPI and computation vary\n",
                            report.time->least, report.time->most);
        text += fmt::format("speed-up {:>12.4g}\n",
                            report.time->seconds > 0 ? facts.replayed / report.time->seconds : std::nan(""));
    }
    text += style.faint("network  " + networkText(facts.network)) + '\n';
    text += style.faint(ownTimeText(report));
    for (const std::string& condition : report.idle)
        text += fmt::format("'{}' by itself changes nothing in this run.\n", printable(condition));
    for (const std::string& note : notesOf(report)) text += "Note: " + note + ".\n";
    if (report.trials) text += '\n' + trialsText(report, style);
    return text;
}

std::string predictJson(const PredictReport& report) {
    const ModelFacts& facts = report.facts;
    const NetworkFacts& network = facts.network;
    Json json{{"recordedSeconds", facts.recorded},
              {"replayedSeconds", facts.replayed},
              {"network",
               {{"latencySeconds", network.latency},
                {"bytesPerSecond", network.bandwidth},
                {"eagerBytes", orNull(network.eager)},
                {"rendezvousBytes", orNull(network.rendezvous)},
                {"messages", network.messages}}},
              {"ownTimeInMpi", facts.ownInMpi},
              {"notes", notesOf(report)}};
    if (report.time) {
        json["conditions"] = report.conditions;
        json["predictedSeconds"] = report.time->seconds;
        json["predictedSecondsWithoutOwnTime"] = report.time->withoutOwn;
        json["predictedSecondsAtLeast"] = report.time->least;
        json["predictedSecondsAtMost"] = report.time->most;
        json["speedup"] = facts.replayed / report.time->seconds;
        json["withoutEffect"] = report.idle;
    }
    if (report.trials) {
        json["trials"] = Json::array();
        for (const trials::Trial& trial : *report.trials)
            json["trials"].push_back({{"condition", trial.condition},
                                      {"problem", trial.reason.empty() ? Json() : Json(trial.reason)},
                                      {"predictedSeconds", trial.seconds},
                                      {"gainSeconds", trial.gain},
                                      {"gainPercent", 100 * trial.gain / facts.replayed}});
    }
    return jsonText(json, 2) + '\n';
}

using namespace algebra;

namespace {

/// Of the time of all threads.
double shareOf(const Experiment& experiment, const char* metric) {
    const auto part = experiment.findMetric(metric), time = experiment.findMetric("time");
    if (!part || !time) return 0;
    const double all = aggregate(experiment, {*time});
    return all > 0 ? aggregate(experiment, {*part}) / all : 0;
}

template <class Is>
bool hasRegion(const Experiment& experiment, Is is) {
    return std::ranges::any_of(experiment.callTree.ids(),
                               [&](CallPathId path) { return is(experiment.regionOf(path)); });
}

bool isOfLock(const Region& region) {
    return region.role == "critical" || region.role == "lock" ||
           region.name.starts_with("pthread_mutex_lock") || region.name.starts_with("omp_set_lock");
}

}  // namespace

std::vector<std::string> limitNotes(const Experiment& recorded) {
    constexpr double kSome = 0.01;
    std::vector<std::string> notes;
    if (hasRegion(recorded, isOfLock))
        notes.emplace_back("locks and critical sections are acquired in the recorded order");
    if (hasRegion(recorded, [](const Region& region) { return region.role == "task"; }))
        notes.emplace_back("each task is executed by the thread that executed it in the recording");
    if (const double share = shareOf(recorded, "system_waiting"); share > kSome)
        notes.push_back(
            fmt::format("sleeping, input and output, which have {:.0f} % of the time of threads, take as "
                        "long as recorded",
                        100 * share));
    if (const double share = shareOf(recorded, "mpi_io"); share > kSome)
        notes.push_back(fmt::format("files of MPI, which have {:.0f} % of the time, take as long as recorded",
                                    100 * share));
    if (std::ranges::any_of(recorded.system.locations, [](const Location& location) {
            return location.type == Location::Type::AcceleratorStream;
        }))
        notes.emplace_back(
            "what accelerators do is not replayed, and waiting for them takes as long as recorded");
    return notes;
}

}  // namespace holos::cli
