// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include "cli/commands.h"
#include "cli/experiments/combine.h"

namespace holos::cli {

void addDiff(Command& app) {
    Command command = app.command("diff", "Subtract one experiment from another");
    command.footer(
        "The first minus the second; what one of them lacks counts as 0. Positive values: the first took "
        "more.\n"
        "Example: holos diff before/analysis.cubex after/analysis.cubex -o gained.cubex");
    const auto options = addCombineOptions(command);
    command.find("inputs").exactly(2);
    command.action([options] {
        combine(*options, [](const algebra::Inputs& inputs, const algebra::Matching& matching) {
            return algebra::diff(inputs[0], inputs[1], matching);
        });
    });
}

}  // namespace holos::cli
