// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/collapse.h"

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {

void addCollapse(Command& app) {
    using algebra::CollapseTo;
    Command command = app.command("collapse", "Aggregate values per process, per node or over all locations");
    command.footer("Example: holos collapse run/analysis.cubex --to processes -o ranks.cubex");
    const auto options = addTransformOptions(command);
    const auto level = std::make_shared<CollapseTo>(CollapseTo::Processes);
    addChoice(command, "--to", *level,
              {{"processes", CollapseTo::Processes}, {"nodes", CollapseTo::Nodes}, {"one", CollapseTo::One}},
              "Add up the locations of each process, of each node, or all of them (one)")
        .required();
    command.action([options, level] {
        transform(*options, [level](algebra::Experiment experiment) {
            return algebra::collapse(std::move(experiment), *level);
        });
    });
}

}  // namespace holos::cli
