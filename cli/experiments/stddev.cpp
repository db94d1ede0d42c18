// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/stddev.h"

#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {

void addStddev(Command& app) {
    Command command = app.command("stddev", "Variation from run to run");
    command.footer(
        "The standard deviation (n - 1) of each value over all experiments; what one lacks counts as 0.\n"
        "To see how a program varies as a whole, collapse the experiments first, and flatten or cut them.\n"
        "Example: holos stddev run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o noise.cubex");
    const auto options = addCombineOptions(command);
    command.action([options] { combine(*options, algebra::standardDeviation); });
}

}  // namespace holos::cli
