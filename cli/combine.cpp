// SPDX-License-Identifier: BSD-3-Clause
#include "cli/combine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algebra/files/experiment_file.h"

namespace holos::cli {
namespace {

std::string summaryOf(const algebra::Experiment& experiment) {
    std::vector<std::string> incomplete;
    for (const algebra::MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].incomplete) incomplete.push_back(experiment.metrics[id].displayName);
    std::string text = fmt::format("{} metrics, {} call paths, {} locations", experiment.metrics.size(),
                                   experiment.callTree.size(), experiment.system.locations.size());
    if (!incomplete.empty()) text += fmt::format("; incomplete: {}", fmt::join(incomplete, ", "));
    return text;
}

}  // namespace

std::shared_ptr<CombineOptions> addCombineOptions(CLI::App& command) {
    auto options = std::make_shared<CombineOptions>();
    command.add_option("inputs", options->inputs, "Experiments (.cubex, .cube)")->required();
    addOutputOption(command, options->output);
    return options;
}

void addOutputOption(CLI::App& command, std::filesystem::path& output) {
    command.add_option("-o,--output", output, "Where the result goes; replaced when it exists")->required();
}

void writeResult(const algebra::Experiment& result, const std::filesystem::path& output) {
    algebra::writeExperiment(result, output);
    fmt::print("{}: {}\n", output.string(), summaryOf(result));
}

void combine(const CombineOptions& options,
             const std::function<algebra::Experiment(const algebra::Inputs&)>& operation) {
    std::vector<algebra::Experiment> experiments;
    for (const auto& input : options.inputs) experiments.push_back(algebra::readExperiment(input));
    writeResult(operation(algebra::Inputs(experiments.begin(), experiments.end())), options.output);
}

}  // namespace holos::cli
