// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "algebra/insight/runs/run_group.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/operators/aggregates.h"
#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {
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

}  // namespace holos::cli
