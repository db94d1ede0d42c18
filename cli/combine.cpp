// SPDX-License-Identifier: BSD-3-Clause
#include "cli/combine.h"

#include "algebra/files/experiment_file.h"
#include "cli/write_result.h"

namespace holos::cli {

std::shared_ptr<CombineOptions> addCombineOptions(CLI::App& command) {
    auto options = std::make_shared<CombineOptions>();
    options->command = &command;
    command.add_option("inputs", options->inputs, "Experiments (.cubex, .cube)")->required();
    addOutputOption(command, options->output);
    return options;
}

void combine(const CombineOptions& options,
             const std::function<algebra::Experiment(const algebra::Inputs&)>& operation) {
    std::vector<algebra::Experiment> experiments;
    for (const auto& input : options.inputs) experiments.push_back(algebra::readExperiment(input));
    const algebra::Inputs inputs(experiments.begin(), experiments.end());
    writeResult(operation(inputs), provenanceOf(*options.command, options.inputs, inputs), options.output);
}

}  // namespace holos::cli
