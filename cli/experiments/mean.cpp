// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/mean.h"

#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {

void addMean(Command& app) {
    Command command = app.command("mean", "Average experiments of repeated runs");
    command.footer(
        "What an experiment lacks counts as 0.\n"
        "Example: holos mean run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o mean.cubex");
    const auto options = addCombineOptions(command);
    command.action([options] { combine(*options, algebra::mean); });
}

}  // namespace holos::cli
