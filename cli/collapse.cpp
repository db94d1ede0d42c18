// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/collapse.h"

#include <map>

#include "cli/commands.h"
#include "cli/transform.h"

namespace holos::cli {

void addCollapse(CLI::App& app) {
    using algebra::CollapseTo;
    const std::map<std::string, CollapseTo> levels{
        {"processes", CollapseTo::Processes}, {"nodes", CollapseTo::Nodes}, {"one", CollapseTo::One}};
    CLI::App* command = app.add_subcommand("collapse", "Add up threads, processes or everything");
    command->footer("Example: holos collapse run/analysis.cubex --to processes -o ranks.cubex");
    const auto options = addTransformOptions(*command);
    const auto level = std::make_shared<CollapseTo>(CollapseTo::Processes);
    command->add_option("--to", *level, "What becomes one location: processes, nodes or one (everything)")
        ->required()
        ->transform(CLI::CheckedTransformer(levels));
    command->callback([options, level] {
        transform(*options, [level](algebra::Experiment experiment) {
            return algebra::collapse(std::move(experiment), *level);
        });
    });
}

}  // namespace holos::cli
