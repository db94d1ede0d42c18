// SPDX-License-Identifier: BSD-3-Clause
#include "cli/experiments/combine.h"

#include <map>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/rename.h"
#include "cli/experiments/write_result.h"

namespace holos::cli {

namespace {

void addMatchingOptions(Command& command, const std::shared_ptr<CombineOptions>& options) {
    command.flag("--match-lines", options->matching.lines,
                 "Match regions and calls only if their source lines agree");
    command.flag(
        "--match-loosely", options->matching.loosely,
        "Ignore what compilers add to names (clones, outlined bodies, underscores) and folders of files");
    command.option("--rename OLD=NEW", options->renames,
                   "Treat region OLD of any input as region NEW; may be repeated");
    addChoice(command, "--systems", options->systems,
              "Match processes by their ranks, by their place in the system's structure, or add up systems "
              "that differ (collapse)");
}

std::map<std::string, std::string> renamed(const std::vector<std::string>& renames) {
    std::map<std::string, std::string> names;
    for (const std::string& each : renames) {
        const std::size_t sign = each.find('=');
        if (sign == std::string::npos || sign == 0)
            throw UsageError("--rename: expected OLD=NEW, not '" + each + "'");
        names[each.substr(0, sign)] = each.substr(sign + 1);
    }
    return names;
}

}  // namespace

std::shared_ptr<CombineOptions> addCombineOptions(Command& command) {
    auto options = std::make_shared<CombineOptions>(CombineOptions{command, {}, {}, {}, {}, {}});
    command.option("inputs", options->inputs, "Experiments (.cubex, .cube), or their folders").required();
    addOutputOption(command, options->output);
    addMatchingOptions(command, options);
    return options;
}

void combine(const CombineOptions& options, const Operation& operation, const Examination& examine) {
    std::vector<algebra::Experiment> experiments = algebra::readExperiments(options.inputs);
    const auto newNames = renamed(options.renames);
    for (algebra::Experiment& each : experiments) algebra::renameRegions(each, newNames);
    if (examine) examine(algebra::Inputs(experiments.begin(), experiments.end()));
    algebra::Matching matching = options.matching;
    switch (options.systems) {
        case Systems::ByRanks:
            break;
        case Systems::ByStructure:
            matching.systems = algebra::Matching::Systems::Structure;
            break;
        case Systems::Collapsed:
            experiments = algebra::collapseWhereDifferent(std::move(experiments));
            break;
    }
    const algebra::Inputs inputs(experiments.begin(), experiments.end());
    writeResult(operation(inputs, matching), provenanceOf(options.command, options.inputs, inputs),
                options.output);
}

}  // namespace holos::cli
