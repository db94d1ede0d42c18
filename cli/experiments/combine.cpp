// SPDX-License-Identifier: BSD-3-Clause
#include "cli/experiments/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/runs/run_group.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/queries.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/rename.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "metric-specs/library.h"

namespace holos::cli {

namespace {

void addMatchingOptions(Command& command, const std::shared_ptr<CombineOptions>& options) {
    command.flag("--match-lines", options->matching.lines,
                 "Match regions and calls only if their source lines agree");
    command.flag(
        "--match-loosely", options->matching.loosely,
        "Ignore what compilers add to names (clones, outlined bodies, underscores) and folders of files");
    command.option("--rename OLD=NEW", options->renames,
                   "Treat region OLD of any input as region NEW; may be repeated");
    addChoice(command, "--systems", options->systems,
              "Match processes by their ranks, by their place in the system's structure, or add up systems "
              "that differ (collapse)");
}

std::map<std::string, std::string> renamed(const std::vector<std::string>& renames) {
    std::map<std::string, std::string> names;
    for (const std::string& each : renames) {
        const std::size_t sign = each.find('=');
        if (sign == std::string::npos || sign == 0)
            throw UsageError("--rename: expected OLD=NEW, not '" + each + "'");
        names[each.substr(0, sign)] = each.substr(sign + 1);
    }
    return names;
}

}  // namespace

std::shared_ptr<CombineOptions> addCombineOptions(Command& command) {
    auto options = std::make_shared<CombineOptions>(CombineOptions{command, {}, {}, {}, {}, {}});
    command.option("inputs", options->inputs, "Experiments (.cubex, .cube), or their folders").required();
    addOutputOption(command, options->output);
    addMatchingOptions(command, options);
    return options;
}

void combine(const CombineOptions& options, const Operation& operation, const Examination& examine) {
    std::vector<algebra::Experiment> experiments = algebra::readExperiments(options.inputs);
    const auto newNames = renamed(options.renames);
    for (algebra::Experiment& each : experiments) algebra::renameRegions(each, newNames);
    if (examine) examine(algebra::Inputs(experiments.begin(), experiments.end()));
    algebra::Matching matching = options.matching;
    switch (options.systems) {
        case Systems::ByRanks:
            break;
        case Systems::ByStructure:
            matching.systems = algebra::Matching::Systems::Structure;
            break;
        case Systems::Collapsed:
            experiments = algebra::collapseWhereDifferent(std::move(experiments));
            break;
    }
    const algebra::Inputs inputs(experiments.begin(), experiments.end());
    writeResult(operation(inputs, matching), provenanceOf(options.command, options.inputs, inputs),
                options.output);
}

namespace {

using Operator = algebra::Experiment (*)(const algebra::Inputs&, const algebra::Matching&);

void add(Command& app, const char* name, const char* summary, const char* footer, Operator operation) {
    Command command = app.command(name, summary);
    command.footer(footer);
    const auto options = addCombineOptions(command);
    command.action([options, operation] { combine(*options, operation); });
}

}  // namespace

void addMean(Command& app) {
    add(app, "mean", "Average experiments of repeated runs",
        "What an experiment lacks counts as 0.\n"
        "Example: holos mean run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o mean.cubex",
        [](const algebra::Inputs& inputs, const algebra::Matching& matching) {
            algebra::Experiment mean = algebra::mean(inputs, matching);
            if (std::ranges::all_of(inputs, algebra::isOfRun))
                algebra::noteSeconds(algebra::secondsOf({"", inputs}), mean);
            return mean;
        });
}

void addSum(Command& app) {
    add(app, "sum", "Add experiments up",
        "The sum of each value over all experiments, such as the phases of a program measured one by one.\n"
        "Example: holos sum phase1/analysis.cubex phase2/analysis.cubex -o both.cubex",
        algebra::sum);
}

void addMin(Command& app) {
    add(app, "min", "Smallest values of repeated runs",
        "The minimum of each value over all experiments; what one lacks counts as 0.\n"
        "Example: holos min run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o best.cubex",
        algebra::minimum);
}

void addMax(Command& app) {
    add(app, "max", "Largest values of repeated runs",
        "The maximum of each value over all experiments; what one lacks counts as 0.\n"
        "Example: holos max run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o worst.cubex",
        algebra::maximum);
}

void addStddev(Command& app) {
    add(app, "stddev", "Variation from run to run",
        "The standard deviation (n - 1) of each value over all experiments; what one lacks counts as 0.\n"
        "To see how a program varies as a whole, collapse the experiments first, and flatten or cut them.\n"
        "Example: holos stddev run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o noise.cubex",
        [](const algebra::Inputs& inputs, const algebra::Matching& matching) {
            if (inputs.size() < 2) throw UsageError("inputs: needs at least 2, but was given 1");
            return algebra::standardDeviation(inputs, matching);
        });
}

namespace {

/// Runs of different sizes have one result that is of no run: says what its values are.
void noteDifferentSizes(const algebra::Inputs& inputs) {
    std::set<std::size_t> processes, threads;
    for (const algebra::Experiment& each : inputs) {
        processes.insert(algebra::numberOfProcesses(each.system));
        threads.insert(algebra::numberOfThreads(each.system));
    }
    const bool differInProcesses = processes.size() > 1;
    if (!differInProcesses && threads.size() <= 1) return;
    const auto& numbers = differInProcesses ? processes : threads;
    const char* const what = differInProcesses ? "process" : "thread";
    complain(
        fmt::format("note: the experiments have {} to {} {}: each {} has the mean of those experiments that "
                    "have it, so that "
                    "sums over them are those of no run. --systems collapse adds up each experiment first; "
                    "holos scaling compares "
                    "runs of different sizes",
                    *numbers.begin(), *numbers.rbegin(), differInProcesses ? "processes" : "threads", what));
}

}  // namespace

void addMerge(Command& app) {
    Command command = app.command("merge", "Unify experiments that measured different things");
    command.footer(
        "Values that several experiments measured are averaged. Metrics that a specification composes or "
        "computes\n"
        "are derived from all measurements together, so that one run completes what another lacks "
        "(~METRIC).\n"
        "Of runs with different numbers of processes, each process has the mean of the runs that have it.\n"
        "Example: holos merge faults/analysis.cubex switches/analysis.cubex -o all.cubex");
    const auto options = addCombineOptions(command);
    auto specification = std::make_shared<std::string>();
    command.option("--spec", *specification,
                   "Platform name or file to derive metrics with (default: the one that the inputs carry)");
    command.action([options, specification] {
        combine(*options, [&specification](const algebra::Inputs& inputs, const algebra::Matching& matching) {
            noteDifferentSizes(inputs);
            if (specification->empty()) return algebra::merge(inputs, nullptr, matching);
            const specs::Specification chosen = specs::find(*specification);
            return algebra::merge(inputs, &chosen, matching);
        });
    });
}

}  // namespace holos::cli
