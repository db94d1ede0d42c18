// SPDX-License-Identifier: BSD-3-Clause
#include "cli/write_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algebra/insight/summary/result_laws.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

void writeTested(const algebra::Experiment& experiment, const std::filesystem::path& output, Links links) {
    for (const algebra::BrokenResultLaw& law : algebra::writeAndTest(experiment, output, links))
        complain(algebra::contradictionText(law));
}

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

void addOutputOption(Command& command, std::filesystem::path& output) {
    command.option("-o,--output", output, "File for the result; an existing one is replaced")
        .required()
        .onlyOnCommandLine();
}

algebra::Provenance provenanceOf(const Command& command, const std::vector<std::filesystem::path>& files,
                                 const algebra::Inputs& inputs) {
    algebra::Provenance provenance{command.name(), HOLOS_VERSION, {}, {}};
    for (auto& [option, value] : command.given())
        if (option != "output") provenance.options.emplace_back(option, value);
    for (std::size_t at = 0; at < files.size(); ++at) {
        algebra::Provenance::Input input{files[at].string(), {}};
        if (auto origin = algebra::provenanceOf(inputs[at])) input.origin.push_back(std::move(*origin));
        provenance.inputs.push_back(std::move(input));
    }
    return provenance;
}

void writeResult(algebra::Experiment result, const algebra::Provenance& provenance,
                 const std::filesystem::path& output, Links links) {
    algebra::setProvenance(result, provenance);
    writeTested(result, output, links);
    print(printable(output.string() + ": " + summaryOf(result)) + '\n');
}

}  // namespace holos::cli
