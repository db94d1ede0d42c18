// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/scale.h"

#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {

void addScale(Command& app) {
    Command command = app.command("scale", "Multiply an experiment by a number");
    command.footer(
        "The example turns cycles of a 2.5 GHz processor into seconds.\n"
        "Example: holos scale run/analysis.cubex --metric PAPI_TOT_CYC --factor 4e-10 --unit sec -o "
        "seconds.cubex");
    const auto options = addTransformOptions(command);
    const auto scaling = std::make_shared<algebra::Scaling>();
    const auto metrics = std::make_shared<std::vector<std::string>>();
    command.option("--factor", scaling->factor, "What to multiply by").required();
    command.option("--metric", *metrics,
                   "Only this metric and those below it (unique name); may be repeated");
    command.option("--unit", scaling->unit, "The unit of the scaled metrics");
    command.action([options, scaling, metrics] {
        scaling->metrics = Chosen<std::string>::orAll(*metrics);
        transform(*options, [&scaling](algebra::Experiment experiment) {
            return algebra::scale(std::move(experiment), *scaling);
        });
    });
}

}  // namespace holos::cli
