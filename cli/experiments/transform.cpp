// SPDX-License-Identifier: BSD-3-Clause
#include "cli/experiments/transform.h"

#include "algebra/files/experiment_file.h"
#include "cli/experiments/write_result.h"

namespace holos::cli {

std::shared_ptr<TransformOptions> addTransformOptions(Command& command) {
    auto options = std::make_shared<TransformOptions>(TransformOptions{command, {}, {}});
    command.option("input", options->input, "Experiment (.cubex), or its folder").required();
    addOutputOption(command, options->output);
    return options;
}

void transform(const TransformOptions& options,
               const std::function<algebra::Experiment(algebra::Experiment)>& operation) {
    algebra::Experiment input = algebra::readExperiment(options.input);
    const algebra::Provenance provenance = provenanceOf(options.command, {options.input}, {input});
    writeResult(operation(std::move(input)), provenance, options.output);
}

}  // namespace holos::cli
