// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "algebra/files/cube3.h"
#include "algebra/files/experiment_file.h"
#include "algebra/operators/plain.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"

namespace holos::cli {
namespace {

struct ConvertOptions {
    std::filesystem::path input;
    std::filesystem::path output;
    bool plain = false;
};

algebra::Experiment madePlain(const algebra::Experiment& experiment) {
    algebra::Plain made = algebra::plain(experiment);
    const auto say = [](const std::vector<std::string>& metrics, const char* what) {
        if (!metrics.empty())
            complain(
                fmt::format("note: {}: {}", what, printable(fmt::format("{}", fmt::join(metrics, ", ")))));
    };
    say(made.evaluated, "expressions replaced by their values");
    say(made.leftOut, "metrics left out, as their values cannot be added up");
    return std::move(made.experiment);
}

void convert(const Command& command, const ConvertOptions& options) {
    algebra::Experiment experiment = algebra::readExperiment(options.input);
    if (options.plain) experiment = madePlain(experiment);
    algebra::setProvenance(experiment, provenanceOf(command, {options.input}, {experiment}));
    if (algebra::formatFor(options.output) == algebra::FileFormat::Cube3)
        for (const std::string& loss : algebra::lossesInCube3(experiment))
            complain("note: CUBE 3 has no place for everything: " + loss);
    writeTested(experiment, options.output);
    print(fmt::format("{}: {} metrics, {} call paths, {} locations\n", printable(options.output.string()),
                      experiment.metrics.size(), experiment.callTree.size(),
                      experiment.system.locations.size()));
}

bool isExperimentName(const std::filesystem::path& file) {
    return file.extension() == ".cubex" || algebra::formatFor(file) == algebra::FileFormat::Cube3;
}

}  // namespace

void addConvert(Command& app) {
    auto options = std::make_shared<ConvertOptions>();
    Command command = app.command("convert", "Write an experiment in another file format");
    command.option("input", options->input, "Experiment (.cubex, .cube, .cube.gz; recognised by its content)")
        .required();
    command
        .option("-o,--output,output", options->output,
                "File for the result, with or without -o, replaced if it exists: .cubex (CUBE 4), .cube or "
                ".cube.gz (CUBE 3)")
        .required()
        .onlyOnCommandLine();
    command.flag(
        "--plain", options->plain,
        "Only metrics with stored values, for programs that evaluate no expressions, such as pycubexr "
        "and with it Extra-P and Hatchet");
    command.footer(
        "CUBE 3 has no expressions and no additional files; what is left out is listed.\n"
        "Examples:\n"
        "  holos convert epik_run/summary.cube.gz -o summary.cubex\n"
        "  holos convert epik_run/summary.cube.gz summary.cubex\n"
        "  holos convert run/derived.cubex plain.cubex --plain");
    command.action([command, options] {
        if (!isExperimentName(options->output))
            throw UsageError("output: must end in .cubex, .cube or .cube.gz");
        convert(command, *options);
    });
}

}  // namespace holos::cli
