// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include <fmt/format.h>

#include "algebra/insight/runs/change.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/history/first_totals.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/experiments/combine.h"
#include "cli/terminal/terminal.h"
#include "report/query/iterations.h"

namespace holos::cli {

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

void run(DiffOptions options) {
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
    command.action([options] { run(*options); });
}

}  // namespace holos::cli
