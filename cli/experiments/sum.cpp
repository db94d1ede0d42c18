// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/sum.h"

#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {

void addSum(Command& app) {
    Command command = app.command("sum", "Add experiments up");
    command.footer(
        "The sum of each value over all experiments, such as the phases of a program measured one by one.\n"
        "Example: holos sum phase1/analysis.cubex phase2/analysis.cubex -o both.cubex");
    const auto options = addCombineOptions(command);
    command.action([options] { combine(*options, algebra::sum); });
}

}  // namespace holos::cli
