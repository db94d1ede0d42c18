// SPDX-License-Identifier: BSD-3-Clause
// What a replay takes as recorded, where this run has it (docs/prediction.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/queries.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/predict/conditions.h"
#include "analyzer/predictor.h"
#include "analyzer/recorded_facts.h"
#include "base/chosen.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "report/trials/trials.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {

namespace fs = std::filesystem;
using analyzer::predict::Condition;
using namespace algebra;

namespace {

/// What `holos predict` says.
struct PredictReport {
    const analyzer::ModelFacts& facts;
    std::vector<std::string> conditions;
    std::vector<std::string> idle;                ///< those of them that change nothing by themselves
    std::optional<analyzer::PredictedTime> time;  ///< where there are conditions
    std::vector<std::string> limits;              ///< what is taken as recorded
    std::optional<std::vector<trials::Trial>> trials;
    AtMost top = kAll;  ///< trials to list
};

/// What stands between the model and the run, in sentences: damage, clocks, what was not calibrated.
std::vector<std::string> modelNotes(const analyzer::ModelFacts& facts);

/// What a replay takes as recorded, where the run has it, in sentences. `isWorkEvened`: in one that was
/// tried.
std::vector<std::string> limitNotes(const analyzer::ModelFacts& facts, const algebra::Experiment& recorded,
                                    bool isWorkEvened);

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
    if (network.messages == 0 && network.starved != 0)
        return fmt::format("not known: {} waited for, but meanwhile {} sender or receiver had no processor",
                           network.starved == 1 ? std::string("1 message was")
                                                : fmt::format("{} messages were", network.starved),
                           network.starved == 1 ? "its" : "their");
    if (network.messages == 0) return "not known: no message was waited for";
    std::string text = network.latency < 1e-3 ? fmt::format("latency {:.3g} us", network.latency * 1e6)
                                              : fmt::format("latency {:.3g} ms", network.latency * 1e3);
    text += std::isinf(network.bandwidth) ? ", no limit of bandwidth seen"
                                          : fmt::format(", bandwidth {:.3g} GB/s", network.bandwidth / 1e9);
    if (network.eager) text += fmt::format(", messages up to {} bytes were sent at once", *network.eager);
    text += network.rendezvous
                ? fmt::format(", those of {} and more waited for their receiver", *network.rendezvous)
                : ", none is known to have waited for its receiver";
    text += fmt::format(" ({} of {})", counted(network.messages, "message"), counted(network.sizes, "size"));
    if (network.isUncertain) text += "; uncertain: threads waited for processors, and it is not known when";
    return text;
}

std::string trialsText(const PredictReport& report, const Style& style) {
    const auto& trials = *report.trials;
    if (trials.empty()) return "Nothing that was tried makes the replay shorter by itself.\n";
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

using Kind = analyzer::predict::Condition::Kind;

/// Of messages: those of the recording have to be known for it.
bool changesCosts(Kind kind) {
    return kind == Kind::Latency || kind == Kind::Bandwidth;
}
bool evensWork(Kind kind) {
    return kind == Kind::Balance || kind == Kind::ThreadsBalanced || kind == Kind::JoinedThreadsBalanced;
}
template <class Is>
bool hasCondition(const std::vector<std::string>& conditions, Is is) {
    return std::ranges::any_of(conditions, [&](const std::string& text) {
        return is(analyzer::predict::parseCondition(text).kind);
    });
}

/// All of them, the limits behind the facts.
std::vector<std::string> notesOf(const PredictReport& report) {
    std::vector<std::string> notes = modelNotes(report.facts);
    if (report.facts.network.messages == 0 && hasCondition(report.conditions, changesCosts))
        notes.emplace_back(
            "what messages cost on the recorded network is not known: the latency and bandwidth of --if are "
            "added to the recorded times, and collective operations take as long as recorded");
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
    if (report.facts.lackingInMpi >= kShown)
        text += fmt::format("; in {:.1f} % they had no processor", 100 * report.facts.lackingInMpi);
    if (report.time && report.time->withoutOwn < report.time->seconds)
        text +=
            fmt::format("; without it, on an ideal network, the run takes {:.6g} s", report.time->withoutOwn);
    return text + '\n';
}

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
    const bool isKnown = network.messages != 0;
    Json json{{"recordedSeconds", facts.recorded},
              {"replayedSeconds", facts.replayed},
              {"network",
               {{"latencySeconds", isKnown ? Json(network.latency) : Json()},
                {"bytesPerSecond", isKnown ? Json(network.bandwidth) : Json()},
                {"eagerBytes", orNull(network.eager)},
                {"rendezvousBytes", orNull(network.rendezvous)},
                {"messages", network.messages},
                {"messagesWithoutProcessors", network.starved}}},
              {"ownTimeInMpi", facts.ownInMpi},
              {"ownTimeInMpiWithoutProcessors", facts.lackingInMpi},
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
           region.name.starts_with("pthread_mutex_lock") || region.name == "pthread_spin_lock" ||
           region.name.starts_with("omp_set_lock");
}

std::vector<std::string> limitNotes(const ModelFacts& facts, const Experiment& recorded, bool isWorkEvened) {
    constexpr double kSome = 0.01;
    std::vector<std::string> notes;
    if (const double share = facts.withoutProcessors; share > kSome)
        notes.push_back(fmt::format(
            "threads waited for processors for {:.0f} % of their time, which the replay leaves "
            "where it was{}",
            100 * share,
            isWorkEvened ? ": with even work whoever had no processor is late instead, so even work "
                           "may save more than the replay says"
                         : ""));
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

struct PredictCommand {
    fs::path trace;
    std::vector<std::string> conditions;
    bool each = false;
    fs::path output;
    fs::path predictedTrace;
    AtMost top = 20;
    unsigned threads = 0;
    TextOrJson format = TextOrJson::Text;
    bool progress = false;
};

/// Throws `UsageError` for what is no condition. Whether the run has its call path is not looked at.
std::vector<Condition> conditionsOf(const PredictCommand& options) {
    std::vector<Condition> conditions;
    for (const std::string& text : options.conditions) try {
            conditions.push_back(analyzer::predict::parseCondition(text));
        } catch (const Error& wrong) {
            throw UsageError("--if: " + wrong.message());
        }
    return conditions;
}

fs::path folderOf(const fs::path& trace) {
    std::error_code ignored;
    return fs::is_directory(trace, ignored) ? trace : trace.parent_path();
}

/// Conditions that change nothing when they are alone.
std::vector<std::string> withoutEffect(const analyzer::Predictor& predictor,
                                       const std::vector<Condition>& conditions) {
    std::vector<std::string> idle;
    for (const Condition& condition : conditions)
        if (!predictor.predict({&condition, 1}).changesAnything()) idle.push_back(condition.text);
    return idle;
}

/// The recorded metrics that the predicted run does not have: counters that were read from time to time.
std::string leftOutOf(const algebra::Experiment& recorded, const algebra::Experiment& predicted) {
    std::vector<std::string> names;
    for (const algebra::MetricId id : recorded.metrics.ids())
        if (!predicted.findMetric(recorded.metrics[id].uniqueName))
            names.push_back(recorded.metrics[id].displayName);
    return fmt::format("{}", fmt::join(names, ", "));
}

void writePredicted(const PredictCommand& options, const analyzer::Predictor& predictor,
                    const analyzer::Prediction& prediction, const analyzer::AnalysisOptions& analysis) {
    algebra::Experiment experiment = predictor.analyze(prediction, analysis).experiment;
    if (const std::string names = leftOutOf(predictor.recorded(), experiment); !names.empty())
        complain(options.output.string() + ": is without " + names +
                 ": what would be counted for a whole process or node is not known");
    analyzer::addRecordedFacts(experiment, folderOf(options.trace));
    experiment = algebra::applySpecification(std::move(experiment), "auto");
    algebra::Provenance provenance{"predict", HOLOS_VERSION, {}, {{options.trace.string(), {}}}};
    for (const std::string& condition : options.conditions) provenance.options.emplace_back("if", condition);
    algebra::setProvenance(experiment, provenance);
    writeTested(experiment, options.output);
}

void requireNewFolder(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))
        throw Error("is there already, and is not an empty folder: name another one for the predicted trace",
                    {.file = folder.string()});
}

/// What the recorder said of the run holds for the predicted one, but for its times.
void describeRun(const PredictCommand& options, const fs::path& folder) {
    const fs::path recorded = folderOf(options.trace) / measurement::kMeasurementFile;
    std::error_code ignored;
    if (!fs::exists(recorded, ignored)) return;
    writeFile(folder / recorded.filename(), measurement::predictedText(recorded, options.conditions));
}

/// A folder like that of a recording, with `measurement.json` where the recorded one has it. It appears under
/// its name only when it is complete.
void writeTrace(const PredictCommand& options, const analyzer::Predictor& predictor,
                const analyzer::Prediction& prediction, analyzer::AnalysisOptions analysis) {
    analysis.progress = progressBar("writing", options.progress);
    requireNewFolder(options.predictedTrace);
    const fs::path target = fs::absolute(options.predictedTrace / "").parent_path();
    const TemporaryFolder beside(target.parent_path());
    const fs::path made = beside.path() / "predicted";
    std::error_code error;
    fs::create_directory(made, error);
    if (error) throw Error("no folder can be made there: " + error.message(), {.file = made.string()});
    const std::uint64_t leftOut = predictor.writeTrace(prediction, made, analysis);
    describeRun(options, made);
    fs::rename(made, target, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = target.string()});
    if (leftOut != 0)
        complain(counted(leftOut, "event") +
                 " of kinds that this version of OTF2 does not know were left out");
}

void requireTrace(const PredictCommand& options) {
    if (archive::hasOnlyProfile(options.trace))
        throw Error("this run was added up while it ran, and has no trace: record it without --profile",
                    {.file = options.trace.string()});
    if (options.conditions.empty() && !options.each)
        throw UsageError("say what would be different with --if, or try everything with --each");
    if (options.conditions.empty() && !options.output.empty())
        throw UsageError("-o: needs a condition, --if");
    if (options.conditions.empty() && !options.predictedTrace.empty())
        throw UsageError("--trace: needs a condition, --if");
    if (!options.predictedTrace.empty()) requireNewFolder(options.predictedTrace);
}

void runPredict(const PredictCommand& options) {
    requireTrace(options);
    if (const std::string others = archive::whereFurtherJobsAre(options.trace); !others.empty())
        complain(others);
    const std::vector<Condition> conditions = conditionsOf(options);
    analyzer::AnalysisOptions analysis;
    analysis.threads = options.threads;
    analysis.progress = progressBar("reading", options.progress);
    const analyzer::Predictor predictor(options.trace, analysis);
    const bool isWorkEvened = options.each || hasCondition(options.conditions, evensWork);
    PredictReport report{predictor.facts(),
                         options.conditions,
                         {},
                         {},
                         limitNotes(predictor.facts(), predictor.recorded(), isWorkEvened),
                         {},
                         options.top};
    for (const analyzer::Diagnosis& diagnosis : predictor.diagnoses())
        complain(analyzer::diagnosisText(diagnosis));
    if (!conditions.empty()) {
        const bool isOne = conditions.size() == 1;
        if (!isOne) report.idle = withoutEffect(predictor, conditions);
        const analyzer::Prediction prediction = predictor.predict(conditions);
        report.time = analyzer::predictedTime(predictor, conditions);
        if (isOne && !prediction.changesAnything()) report.idle = {conditions.front().text};
        if (!options.output.empty()) writePredicted(options, predictor, prediction, analysis);
        if (!options.predictedTrace.empty()) writeTrace(options, predictor, prediction, analysis);
    }
    if (options.each) {
        const analyzer::AnalysisResult analyzed = analyzer::analyze(options.trace, analysis);
        report.trials = trials::tryEach(
            predictor, analyzed.experiment,
            {.threads = options.threads, .progress = progressBar("trying", options.progress)});
    }
    return inFormat(
        options.format, [&] { return print(predictText(report, styleOfOutput())); },
        [&] { return print(predictJson(report)); });
}

}  // namespace

void addPredict(Command& app) {
    const auto options = std::make_shared<PredictCommand>();
    Command command =
        app.command("predict", "Say how long a recorded run would take if things were different");
    command.option("run", options->trace, "Folder of a recording or of an OTF2 archive, or its .otf2 file")
        .required();
    command.option("--if CONDITION", options->conditions,
                   "What would be different; may be repeated, and then all conditions hold together");
    command.flag("--each", options->each,
                 "Try each problem of the summary and each call path by itself, and list how much time each "
                 "change would save");
    command
        .option("-o,--output FILE", options->output,
                "Write the experiment of the predicted run, to compare it with that of the recorded one")
        .onlyOnCommandLine();
    command
        .option(
            "--trace DIR", options->predictedTrace,
            "Write the trace of the predicted run into this folder, to see its timeline beside that of the "
            "recorded one")
        .onlyOnCommandLine();
    command.option("--top N", options->top, "How many changes of --each to list (0: all)").showDefault();
    command.option("-j,--threads", options->threads,
                   "Number of threads of the analysis (default: one per processor)");
    addFormat(command, options->format);
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Conditions:\n"
        "  balance CALLPATH       all who execute it take the mean of their times there\n"
        "  speedup CALLPATH=2     its computation is twice as fast\n"
        "  remove CALLPATH        it is not executed: neither computation nor communication\n"
        "  cpu ratio NODE=0.8     a node, or a process, computes at this fraction of its recorded speed\n"
        "  limit CALLPATH=2s      no thread computes and sleeps for longer than that in it, in the whole run\n"
        "  threads balanced       the threads of each team take the mean of their times\n"
        "  joined threads balanced  threads that are started together take the mean of their times\n"
        "  locks free             nobody waits for a lock\n"
        "  network=ideal          communication takes no time, only waiting for others does\n"
        "  latency=2us            messages and collective operations have this latency\n"
        "  bandwidth=10G          and this bandwidth, in bytes per second; infinite: no limit\n"
        "  eager=64K              larger messages wait for their receiver\n"
        "CALLPATH is a function, the end of a call path such as solve/step, or a whole one.\n"
        "Examples:\n"
        "  holos predict measurement --if 'balance solve'\n"
        "  holos predict measurement --if network=ideal --if 'speedup solve=2' -o predicted.cubex\n"
        "  holos diff measurement/analysis.cubex predicted.cubex -o gain.cubex\n"
        "  holos predict measurement --if 'balance solve' --trace balanced\n"
        "  holos predict measurement --each");
    command.action([options] { runPredict(*options); });
}

}  // namespace holos::cli
