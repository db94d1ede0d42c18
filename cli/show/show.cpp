// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>
#include <memory>

#include "algebra/files/experiment_file.h"
#include "base/error.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/show/efficiency_lines.h"
#include "cli/show/show_formats.h"
#include "cli/show/show_summary.h"
#include "cli/terminal/terminal.h"
#include "report/tables/shown_names.h"
#include "tracing/recordings/archive/jobs.h"

namespace holos::cli {

using namespace tables;
namespace {

struct ShowOptions {
    ShowRequest request;
    std::string metric;
    std::optional<double> hide;
    bool findings = false;
    bool efficiencies = false;
    bool instances = false;
    bool communication = false;
    bool lines = false;
    bool noSummary = false;
    std::optional<std::size_t> why;
};

std::string showEfficiencies(const algebra::Experiment& experiment, const ShowRequest& request) try {
    const std::vector<EfficiencyLine> lines = efficiencyLines(experiment, request.top);
    return request.format == "text"   ? efficiencyText(experiment, lines, styleOfOutput())
           : request.format == "json" ? efficiencyJson(experiment, lines)
                                      : efficiencyCsv(experiment, lines);
} catch (const Error& error) {
    throw Error(error.message(), Place{.file = request.file});
}

/// The metric that is shown when none is named: the first of these that there is, or the first of all.
algebra::MetricId mainMetric(const algebra::Experiment& experiment, const std::string& file,
                             std::initializer_list<const char*> preferred) {
    if (experiment.metrics.empty()) throw Error("has no metrics", Place{.file = file});
    for (const char* name : preferred)
        if (const auto found = experiment.findMetric(name)) return *found;
    return experiment.metrics.roots().front();
}

void show(const ShowOptions& options) {
    constexpr double kUsuallyHidden = 1.0;
    ShowRequest request = options.request;
    request.summary = !options.noSummary;
    algebra::Experiment experiment = algebra::readExperiment(request.file);
    if (const std::string others = archive::whereFurtherJobsAre(request.file); !others.empty())
        complain(others);
    const bool text = request.format == "text";
    if (!options.metric.empty()) request.metric = metricNamed(experiment, options.metric, request.file);
    if (options.instances) return print(showInstances(experiment, request));
    if (text && !request.fullNames) shortenNames(experiment);
    if (options.why && request.format == "csv") throw UsageError("--why: prints text or json");
    if (options.why) return print(showProblem(experiment, request, *options.why, styleOfOutput()));
    if (options.findings) return print(showFindings(experiment, request, styleOfOutput()));
    if (options.communication) return print(showCommunication(experiment, request));
    if (options.efficiencies) return print(showEfficiencies(experiment, request));
    if (options.lines) {
        if (!request.metric) request.metric = mainMetric(experiment, request.file, {"samples", "time"});
        return print(showSourceLines(experiment, request, styleOfOutput()));
    }
    if (request.tree == ShownTree::None)
        return print(text                       ? showText(experiment, request, styleOfOutput())
                     : request.format == "json" ? showJson(experiment, request)
                                                : showCsv(experiment, request));
    if (!request.metric) request.metric = mainMetric(experiment, request.file, {"time"});
    const bool usual = text && !request.zeros && request.tree == ShownTree::Calls;
    request.hide = options.hide.value_or(usual ? kUsuallyHidden : 0.0);
    request.zeros = request.zeros || !text;
    print(showTree(experiment, request, styleOfOutput()));
}

void addTreeOptions(Command& command, ShowOptions& options) {
    const Option tree = addChoice(command, "--tree", options.request.tree,
                                  {{"calls", ShownTree::Calls}, {"system", ShownTree::System}},
                                  "Print the metric (default: time) as a tree of calls or of the system");
    command.option("--depth", options.request.depth, "Levels of the tree to print (0: all)")
        .needs(tree)
        .notNegative();
    command
        .option("--hide", options.hide,
                "Leave out what is below this percentage of the tree's total (default: 1 for calls as text)")
        .needs(tree)
        .between(0.0, 100.0);
}

}  // namespace

void addShow(Command& app) {
    auto options = std::make_shared<ShowOptions>();
    Command command = app.command(
        "show", "Print an experiment: what costs time and why, metrics, wait states, call paths, trees");
    command.option("file", options->request.file, "Experiment (.cubex, .cube), or its folder").required();
    command.option("--metric", options->metric,
                   "Only this metric (unique or displayed name): call paths and locations");
    command.option("--top", options->request.top, "How many wait states or call paths to list (0: all)")
        .showDefault()
        .notNegative();
    addChoice(command, "--per", options->request.per,
              {{"threads", Per::Threads}, {"processes", Per::Processes}, {"nodes", Per::Nodes}},
              "Aggregate values per thread, process or node")
        .showDefault("threads");
    addTreeOptions(command, *options);
    command.flag("--all", options->request.zeros, "Also list zero values");
    command.flag(
        "--full-names", options->request.fullNames,
        "Show names of functions with all parameters and template arguments (csv and json always do)");
    command.option("--format", options->request.format, "How to print the result")
        .oneOf({"text", "csv", "json"})
        .showDefault();
    const Option why = command.option(
        "--why N", options->why, "The values behind problem N of the summary, counted from 1 (text, json)");
    const Option noSummary =
        command.flag("--no-summary", options->noSummary,
                     "Leave out the summary in front of the metrics: what costs most, where and why");
    noSummary.excludes(why);
    const Option findings = command.flag("--findings", options->findings,
                                         "What the specification's rules find, and the call paths concerned");
    const Option efficiencies =
        command.flag("--efficiencies", options->efficiencies,
                     "How well processors are used (POP): the program and its largest call paths");
    efficiencies.excludes(findings);
    const Option instances = command.flag("--instances", options->instances,
                                          "The longest waits of each kind: when, where and for whom");
    instances.excludes(findings).excludes(efficiencies);
    const Option communication =
        command.flag("--communication", options->communication,
                     "Who sent messages to whom, how many bytes, and who waited for whom");
    communication.excludes(findings).excludes(efficiencies).excludes(instances);
    const Option lines = command.flag("--lines", options->lines,
                                      "The source lines that have most of the metric (default: samples, "
                                      "where there are any, or else time)");
    lines.excludes(findings).excludes(efficiencies).excludes(instances).excludes(communication);
    for (const char* other : {"--tree", "--per"}) lines.excludes(command.find(other));
    for (const char* other : {"--metric", "--tree", "--per", "--all", "--findings", "--efficiencies",
                              "--instances", "--communication", "--lines"})
        why.excludes(command.find(other));
    for (const char* other : {"--metric", "--tree", "--per", "--all"}) {
        findings.excludes(command.find(other));
        efficiencies.excludes(command.find(other));
        communication.excludes(command.find(other));
    }
    for (const char* other : {"--tree", "--per", "--all"}) instances.excludes(command.find(other));
    command.footer(
        "Examples:\n"
        "  holos show run/analysis.cubex\n"
        "  holos show run/analysis.cubex --why 1\n"
        "  holos show run/analysis.cubex --metric mpi_latesender --top 5 --per processes\n"
        "  holos show run/analysis.cubex --metric time --tree calls --depth 4 --hide 2\n"
        "  holos show run/analysis.cubex --lines --top 20\n"
        "  holos show run/analysis.cubex --findings\n"
        "  holos show run/analysis.cubex --communication --top 0 --format csv");
    command.action([options] { show(*options); });
}

}  // namespace holos::cli
