// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/min_max.h"

#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {

void addMin(Command& app) {
    Command command = app.command("min", "Smallest values of repeated runs");
    command.footer(
        "The minimum of each value over all experiments; what one lacks counts as 0.\n"
        "Example: holos min run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o best.cubex");
    const auto options = addCombineOptions(command);
    command.action([options] { combine(*options, algebra::minimum); });
}

void addMax(Command& app) {
    Command command = app.command("max", "Largest values of repeated runs");
    command.footer(
        "The maximum of each value over all experiments; what one lacks counts as 0.\n"
        "Example: holos max run1/analysis.cubex run2/analysis.cubex run3/analysis.cubex -o worst.cubex");
    const auto options = addCombineOptions(command);
    command.action([options] { combine(*options, algebra::maximum); });
}

}  // namespace holos::cli
