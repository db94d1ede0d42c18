// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/flatten.h"

#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {

void addFlatten(Command& app) {
    Command command = app.command("flatten", "Make a region profile of a call tree");
    command.footer(
        "The result has one entry per region, with the sum of the exclusive values of its call paths.\n"
        "Example: holos flatten run/analysis.cubex -o profile.cubex");
    const auto options = addTransformOptions(command);
    command.action([options] { transform(*options, algebra::flatten); });
}

}  // namespace holos::cli
