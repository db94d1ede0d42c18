// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/derive.h"

#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {

void addDerive(Command& app) {
    Command command = app.command("derive", "Derive the metrics of a specification from those measured");
    command.footer(
        "Composed and computed metrics are derived again from the measured ones, and replace earlier ones.\n"
        "Example: holos derive run/analysis.cubex --spec my.spec -o other.cubex");
    const auto options = addTransformOptions(command);
    const auto specification = std::make_shared<std::string>();
    command
        .option("--spec", *specification,
                "Platform name or file; auto: the platform that has most of the measured events")
        .required();
    command.action([options, specification] {
        transform(*options, [&specification](algebra::Experiment experiment) {
            return algebra::applySpecification(std::move(experiment), *specification);
        });
    });
}

}  // namespace holos::cli
