// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/merge.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "algebra/model/queries.h"
#include "cli/commands.h"
#include "cli/experiments/combine.h"
#include "cli/terminal/terminal.h"
#include "metric-specs/library.h"

namespace holos::cli {
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
