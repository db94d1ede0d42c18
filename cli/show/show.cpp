// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/runs/recurring.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/tables/value_tree.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::cli {

using namespace algebra;
using namespace tables;

namespace {

using Json = nlohmann::ordered_json;

std::string findingText(const RecurringFinding& finding, const std::vector<NamedRun>& runs,
                        std::size_t number, const Style& style) {
    const std::string first = fmt::format("{}. ", number);
    std::string title = wrapped(printable(finding.what + ": " + finding.recursText(runs)), first, style);
    title.pop_back();
    return (finding.mayBeChance() ? title : style.alert(title)) + '\n' +
           labelledText("where", finding.where, style) + labelledText("who", finding.who, style) +
           labelledText("why", finding.why, style) + labelledText("helps", finding.remedy, style) +
           labelledText("but", finding.note, style);
}

std::string repeatsText(const Recurrence& recurrence, const std::vector<NamedRun>& runs, const Style& style) {
    std::string text = style.strong(recurrence.areRepeats ? "What recurs" : "Several runs") + '\n';
    for (const std::string& sentence : recurrence.sentences) text += wrapped(printable(sentence), "", style);
    for (std::size_t at = 0; at < recurrence.findings.size(); ++at)
        text += '\n' + findingText(recurrence.findings[at], runs, at + 1, style);
    return text;
}

Json rangeObject(const ValueRange& range) {
    return {{"least", range.least}, {"most", range.most}};
}

std::string repeatsJson(const Recurrence& recurrence, const std::vector<NamedRun>& runs) {
    Json object{{"repeats", recurrence.areRepeats}, {"sentences", recurrence.sentences}};
    object["runs"] = Json::array();
    for (std::size_t run = 0; run < runs.size(); ++run)
        object["runs"].push_back({{"file", runs[run].name}, {"seconds", recurrence.seconds[run]}});
    object["findings"] = Json::array();
    for (const RecurringFinding& finding : recurrence.findings) {
        Json in = Json::array();
        for (const std::size_t run : finding.runs) in.push_back(runs[run].name);
        object["findings"].push_back({{"kind", finding.kind},
                                      {"what", finding.what},
                                      {"where", finding.where},
                                      {"who", finding.who},
                                      {"why", finding.why},
                                      {"remedy", finding.remedy},
                                      {"note", finding.note},
                                      {"in", in},
                                      {"of", finding.of},
                                      {"mayBeChance", finding.mayBeChance()},
                                      {"seconds", rangeObject(finding.seconds)},
                                      {"percent", rangeObject(finding.percent)}});
    }
    return jsonText(object, 2) + '\n';
}

/// What recurs in repeated runs of a program, as text or JSON. Throws `UsageError` for other formats, before
/// it reads the files, and `holos::Error` for a file that is not of a run.
std::string showRepeats(const std::vector<std::filesystem::path>& files, const ShowRequest& request,
                        const Style& style) {
    using Printed = std::function<std::string(const Recurrence&, const std::vector<NamedRun>&)>;
    const auto inText = [&style](const auto& recurrence, const auto& runs) {
        return repeatsText(recurrence, runs, style);
    };
    const auto inCsv = []() -> Printed {
        throw UsageError("--format: of several runs, prints text or json");
    };
    const auto printed = inFormat(
        request.format, [&] { return Printed(inText); }, inCsv, [] { return Printed(repeatsJson); });
    std::vector<Experiment> experiments = readExperiments(files);
    if (request.format == Format::Text && !request.fullNames)
        for (Experiment& experiment : experiments) tables::shortenNames(experiment);
    std::vector<NamedRun> runs;
    for (std::size_t at = 0; at < files.size(); ++at) runs.push_back({files[at].string(), experiments[at]});
    return printed(recurrenceOf(runs), runs);
}

/// What is printed of an experiment.
struct View {
    const char* option;                ///< that chooses it; null: shown where none is chosen
    std::vector<const char*> without;  ///< options that would change nothing in it
    ShowView* show;
    std::vector<const char*> usualMetrics;  ///< without `--metric`, the first of these; none: all metrics
    bool shortensNames = true;              ///< of functions, before it is shown as text
};

/// At most one is chosen.
const std::vector<View>& views() {
    static const std::vector<View> all{
        {nullptr, {}, showValues, {}},
        {"--tree", {}, showTree, {"time"}},
        {"--why", {"--metric", "--per", "--all", "--no-summary"}, showProblem, {}},
        {"--findings", {"--metric", "--per", "--all"}, showFindings, {}},
        {"--efficiencies", {"--metric", "--per", "--all"}, showEfficiencies, {}},
        {"--instances", {"--per", "--all"}, showInstances, {}, false},
        {"--communication", {"--metric", "--per", "--all"}, showCommunication, {}},
        {"--lines", {"--per"}, showSourceLines, {"samples", "time"}},
        {"--instructions", {"--metric", "--per", "--top", "--no-summary"}, showInstructions, {}},
    };
    return all;
}

const View& chosenView(const Command& command) {
    for (const View& view : views())
        if (view.option != nullptr && command.find(view.option).isGiven()) return view;
    return views().front();
}

void refuseOthers(const Command& command) {
    for (const View& view : views()) {
        if (view.option == nullptr) continue;
        const Option chooses = command.find(view.option);
        for (const View& other : views())
            if (&other != &view && other.option != nullptr) chooses.excludes(command.find(other.option));
        for (const char* option : view.without) chooses.excludes(command.find(option));
    }
}

struct ShowOptions {
    std::vector<std::filesystem::path> files;
    ShowRequest request;
    std::string metric;
    bool noSummary = false;
};

/// The first of these that there is, or the first of all.
algebra::MetricId mainMetric(const algebra::Experiment& experiment, const std::string& file,
                             const std::vector<const char*>& preferred) {
    if (experiment.metrics.empty()) throw Error("has no metrics", Place{.file = file});
    for (const char* name : preferred)
        if (const auto found = experiment.findMetric(name)) return *found;
    return experiment.metrics.roots().front();
}

/// What recurs in several runs is no table of their values.
void refuseOptionsOfOneRun(const Command& command) {
    for (const auto& [option, value] : command.given())
        if (option != "format" && option != "full-names")
            throw UsageError("--" + option +
                             ": shows one experiment; with several, `holos show` says what recurs in them");
}

void show(const ShowOptions& options, const Command& command) {
    const View& view = chosenView(command);
    ShowRequest request = options.request;
    if (options.files.size() > 1) {
        refuseOptionsOfOneRun(command);
        return print(showRepeats(options.files, request, styleOfOutput()));
    }
    request.file = options.files.front().string();
    request.summary = !options.noSummary;
    algebra::Experiment experiment = algebra::readExperiment(request.file);
    if (const std::string others = archive::whereFurtherJobsAre(request.file); !others.empty())
        complain(others);
    if (!options.metric.empty()) request.metric = metricNamed(experiment, options.metric, request.file);
    if (view.shortensNames && request.format == Format::Text && !request.fullNames) shortenNames(experiment);
    if (!request.metric && !view.usualMetrics.empty())
        request.metric = mainMetric(experiment, request.file, view.usualMetrics);
    print(view.show(experiment, request, styleOfOutput()));
}

void addTreeOptions(Command& command, ShowRequest& request) {
    std::vector<std::pair<std::string, ShownTree>> trees;
    for (const auto& [word, tree] : wordsOf(ShownTree{})) trees.emplace_back(word, tree);
    const Option tree = addChoice(command, "--tree", request.tree, trees,
                                  "Print the metric (default: time) as a tree of calls or of the system");
    command.option("--depth", request.depth, "Levels of the tree to print (0: all)")
        .needs(tree)
        .notNegative();
    command
        .option("--hide", request.hide,
                "Leave out what is below this percentage of the tree's total (default: 1 for calls as text)")
        .needs(tree)
        .between(0.0, 100.0);
}

void addViews(Command& command, ShowOptions& options) {
    command.option("--why N", options.request.problem,
                   "The values behind problem N of the summary, counted from 1 (text, json)");
    command.flag("--no-summary", options.noSummary,
                 "Leave out the summary in front of the metrics: what costs most, where and why");
    command.flag("--findings", "What the specification's rules find, and the call paths concerned");
    command.flag("--efficiencies",
                 "How well processors are used (POP): the program and its largest call paths");
    command.flag("--instances", "The longest waits of each kind: when, where and for whom");
    command.flag("--communication", "Who sent messages to whom, how many bytes, and who waited for whom");
    command.flag("--lines",
                 "The source lines that have most of the metric (default: samples, where there are any, or "
                 "else time)");
    command.option("--instructions FUNCTION", options.request.function,
                   "The machine code of a function with the samples of its instructions and source lines "
                   "(--all: also what is far from all samples)");
}

}  // namespace

std::string showValues(const algebra::Experiment& experiment, const ShowRequest& request,
                       const Style& style) {
    return inFormat(
        request.format, [&] { return valuesText(experiment, request, style); },
        [&] { return valuesCsv(experiment, request); }, [&] { return valuesJson(experiment, request); });
}

void addShow(Command& app) {
    auto options = std::make_shared<ShowOptions>();
    Command command = app.command(
        "show", "Print an experiment: what costs time and why, metrics, wait states, call paths, trees");
    command
        .option("file", options->files,
                "Experiment (.cubex, .cube), or its folder; several of repeated runs: what recurs in them")
        .required();
    command.option("--metric", options->metric,
                   "Only this metric (unique or displayed name): call paths and locations");
    command.option("--top", options->request.top, "How many wait states or call paths to list (0: all)")
        .showDefault()
        .notNegative();
    addChoice(command, "--per", options->request.per,
              {{"threads", Per::Threads}, {"processes", Per::Processes}, {"nodes", Per::Nodes}},
              "Aggregate values per thread, process or node")
        .showDefault("threads");
    addTreeOptions(command, options->request);
    command.flag("--all", options->request.zeros, "Also list zero values");
    command.flag(
        "--full-names", options->request.fullNames,
        "Show names of functions with all parameters and template arguments (csv and json always do)");
    addFormat(command, options->request.format);
    addViews(command, *options);
    refuseOthers(command);
    command.footer(
        "Examples:\n"
        "  holos show run/analysis.cubex\n"
        "  holos show run/analysis.cubex --why 1\n"
        "  holos show run-1 run-2 run-3\n"
        "  holos show run/analysis.cubex --metric mpi_latesender --top 5 --per processes\n"
        "  holos show run/analysis.cubex --metric time --tree calls --depth 4 --hide 2\n"
        "  holos show run/analysis.cubex --lines --top 20\n"
        "  holos show run/analysis.cubex --instructions relax\n"
        "  holos show run/analysis.cubex --findings\n"
        "  holos show run/analysis.cubex --communication --top 0 --format csv");
    command.action([options, command] { show(*options, command); });
}

}  // namespace holos::cli
