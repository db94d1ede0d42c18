// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/merge.h"

#include <memory>

#include "cli/commands.h"
#include "cli/experiments/combine.h"
#include "metric-specs/library.h"

namespace holos::cli {

void addMerge(Command& app) {
    Command command = app.command("merge", "Unify experiments that measured different things");
    command.footer(
        "Values that several experiments measured are averaged. Metrics that a specification composes or "
        "computes\n"
        "are derived from all measurements together, so that one run completes what another lacks "
        "(~METRIC).\n"
        "Example: holos merge faults/analysis.cubex switches/analysis.cubex -o all.cubex");
    const auto options = addCombineOptions(command);
    auto specification = std::make_shared<std::string>();
    command.option("--spec", *specification,
                   "Platform name or file to derive metrics with (default: the one that the inputs carry)");
    command.action([options, specification] {
        combine(*options, [&specification](const algebra::Inputs& inputs, const algebra::Matching& matching) {
            if (specification->empty()) return algebra::merge(inputs, nullptr, matching);
            const specs::Specification chosen = specs::find(*specification);
            return algebra::merge(inputs, &chosen, matching);
        });
    });
}

}  // namespace holos::cli
