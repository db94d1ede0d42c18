// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/runs/change.h"
#include "algebra/insight/runs/run_group.h"
#include "algebra/model/queries.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/first_totals.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/unite/inputs.h"
#include "base/error.h"
#include "base/suggest.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "metric-specs/library.h"
#include "report/query/iterations.h"

namespace holos::cli {

namespace {

/// How the systems of the inputs become one.
enum class Systems : unsigned char { ByRanks, ByStructure, Collapsed };
constexpr auto wordsOf(Systems) {
    return std::array{std::pair{"ranks", Systems::ByRanks}, std::pair{"structure", Systems::ByStructure},
                      std::pair{"collapse", Systems::Collapsed}};
}

/// What a subcommand that makes one experiment of several was told.
struct CombineOptions {
    Command command;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    algebra::Matching matching;
    Systems systems = Systems::ByRanks;
    std::vector<std::string> renames;  ///< `OLD=NEW`
};

using Operation = std::function<algebra::Experiment(const algebra::Inputs&, const algebra::Matching&)>;
/// Is given the inputs as they are, before systems that differ are collapsed.
using Examination = std::function<void(const algebra::Inputs&)>;

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

/// Throws `UsageError` for a name to be replaced that no region has.
void requireRegions(const std::vector<algebra::Experiment>& experiments,
                    const std::map<std::string, std::string>& newNames) {
    std::set<std::string> known;
    if (newNames.empty()) return;
    for (const algebra::Experiment& each : experiments)
        for (const algebra::Region& region : each.regions) known.insert(region.name);
    for (const auto& [name, newName] : newNames)
        if (!known.contains(name))
            throw UsageError("--rename: no input has a region '" + name + "'" +
                             didYouMean(name, {known.begin(), known.end()}));
}

/// Declares the input files, how their parts pair up, and `-o` on a subcommand; its callback keeps the
/// options.
std::shared_ptr<CombineOptions> addCombineOptions(Command& command) {
    auto options = std::make_shared<CombineOptions>(CombineOptions{command, {}, {}, {}, {}, {}});
    command.option("inputs", options->inputs, "Experiments (.cubex, .cube), or their folders").required();
    addOutputOption(command, options->output);
    addMatchingOptions(command, options);
    return options;
}

/// Reads the inputs, combines them and writes the result with its provenance; says what it wrote. Nothing is
/// written on failure.
void combine(const CombineOptions& options, const Operation& operation, const Examination& examine = {}) {
    std::vector<algebra::Experiment> experiments = algebra::readExperiments(options.inputs);
    const auto newNames = renamed(options.renames);
    requireRegions(experiments, newNames);
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
                    "have it, so that sums over them are those of no run. --systems collapse adds up each "
                    "experiment first; holos scaling compares runs of different sizes",
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

namespace {

using namespace algebra;

/// Files of the first and of the second version: two, or as many of each as were repeated.
struct DiffOptions {
    std::shared_ptr<CombineOptions> combined;
    std::vector<std::filesystem::path> minus;
    bool hasIterations = false;
};

/// All files stand in `inputs` from now on, those of the second behind those of the first; returns how many
/// these are.
std::size_t joinInputs(DiffOptions& options) {
    std::vector<std::filesystem::path>& inputs = options.combined->inputs;
    if (options.minus.empty() && inputs.size() != 2)
        throw UsageError(inputs.size() < 2
                             ? fmt::format("inputs: needs at least 2, but was given {}", inputs.size())
                             : fmt::format("inputs: {} experiments: which are to be subtracted stands behind "
                                           "--minus, where there are more than 2",
                                           inputs.size()));
    if (options.minus.empty()) return 1;
    const std::size_t firsts = inputs.size();
    inputs.insert(inputs.end(), options.minus.begin(), options.minus.end());
    return firsts;
}

RunGroup groupOf(const std::vector<std::filesystem::path>& files, const Inputs& runs, std::size_t begin,
                 std::size_t end) {
    std::vector<std::string> names;
    for (std::size_t at = begin; at < end; ++at) names.push_back(files[at].string());
    return {nameOfGroup(names), Inputs(runs.begin() + static_cast<std::ptrdiff_t>(begin),
                                       runs.begin() + static_cast<std::ptrdiff_t>(end))};
}

Experiment meanOf(const RunGroup& group, const Matching& matching) {
    return mean(group.runs, matching);
}

Experiment differenceOf(const RunGroup& first, const RunGroup& second, const Matching& matching) {
    const auto subtract = [&matching](const Experiment& minuend, const Experiment& subtrahend) {
        Experiment difference = diff(minuend, subtrahend, matching);
        keepTotalsOfFirst(minuend, difference);
        return difference;
    };
    if (first.runs.size() == 1 && second.runs.size() == 1)
        return subtract(first.runs.front(), second.runs.front());
    return subtract(meanOf(first, matching), meanOf(second, matching));
}

/// Of two runs that were not repeated.
std::vector<std::string> soonKnownIterations(const std::vector<std::filesystem::path>& files,
                                             const Inputs& runs, const Change& change) {
    if (runs.size() != 2) return {};
    return query::changeSentencesOfFiles({change.first, files[0], runs[0]},
                                         {change.second, files[1], runs[1]});
}

/// As was asked for.
std::vector<std::string> wantedIterations(const std::vector<std::filesystem::path>& files,
                                          const Change& change) {
    if (files.size() != 2) throw UsageError("--iterations: compares two runs, not repeated ones");
    query::Run first(files[0], {}), second(files[1], {});
    const query::NamedIterations before{change.first, readIterationTimes(first)};
    const query::NamedIterations after{change.second, readIterationTimes(second)};
    if (const auto other = otherLoopText(before, after)) complain("note: " + printable(*other));
    return query::changeSentences(before, after);
}

void runDiff(DiffOptions options) {
    const std::size_t firsts = joinInputs(options);
    const auto& files = options.combined->inputs;
    std::optional<Change> change;
    const auto examine = [&](const Inputs& runs) {
        change = changeBetween(groupOf(files, runs, 0, firsts), groupOf(files, runs, firsts, runs.size()),
                               options.combined->matching);
        if (!change) {
            if (options.hasIterations)
                complain("note: --iterations: these are not two runs that can be compared");
            return;
        }
        for (std::string& sentence : options.hasIterations ? wantedIterations(files, *change)
                                                           : soonKnownIterations(files, runs, *change))
            change->sentences.push_back(std::move(sentence));
        for (const std::string& sentence : change->sentences)
            print(wrapped(printable(sentence), "", styleOfOutput()));
        print("\n");
    };
    combine(
        *options.combined,
        [&](const Inputs& runs, const Matching& matching) {
            Experiment difference = differenceOf(groupOf(files, runs, 0, firsts),
                                                 groupOf(files, runs, firsts, runs.size()), matching);
            if (change) keepChange(*change, difference);
            return difference;
        },
        examine);
}

}  // namespace

void addDiff(Command& app) {
    Command command =
        app.command("diff", "Subtract one experiment from another, and say in words what is different");
    command.footer(
        "The first minus the second; what one of them lacks counts as 0. Positive values: the first took "
        "more.\n"
        "Examples:\n"
        "  holos diff before/analysis.cubex after/analysis.cubex -o gained.cubex\n"
        "  holos diff before-1 before-2 before-3 --minus after-1 after-2 after-3 -o gained.cubex");
    const auto options = std::make_shared<DiffOptions>();
    options->combined = addCombineOptions(command);
    command
        .option("--minus", options->minus,
                "Repeated runs: the mean of the inputs minus the mean of these. What differs says how exact "
                "it is")
        .several()
        .onlyOnCommandLine();
    command.flag(
        "--iterations", options->hasIterations,
        "Say which iterations changed, even if the two traces have more than 10 million events together");
    command.action([options] { runDiff(*options); });
}

}  // namespace holos::cli
