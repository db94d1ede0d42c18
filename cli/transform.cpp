// SPDX-License-Identifier: BSD-3-Clause
#include "cli/transform.h"

#include "algebra/files/experiment_file.h"
#include "cli/combine.h"

namespace holos::cli {

std::shared_ptr<TransformOptions> addTransformOptions(CLI::App& command) {
    auto options = std::make_shared<TransformOptions>();
    command.add_option("input", options->input, "Experiment (.cubex)")->required();
    addOutputOption(command, options->output);
    return options;
}

void transform(const TransformOptions& options,
               const std::function<algebra::Experiment(algebra::Experiment)>& operation) {
    writeResult(operation(algebra::readExperiment(options.input)), options.output);
}

}  // namespace holos::cli
