// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "algebra/files/cube3.h"
#include "algebra/files/experiment_file.h"
#include "algebra/files/file_reader.h"
#include "algebra/model/experiment.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/flatten.h"
#include "algebra/operators/plain.h"
#include "algebra/operators/remap.h"
#include "algebra/operators/scale.h"
#include "base/error.h"
#include "base/number.h"
#include "cli/choice.h"
#include "cli/command.h"
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
        "Only metrics with stored values, for programs that evaluate no expressions, such as pycubexr and "
        "with it Extra-P and Hatchet");
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

namespace {

/// What a subcommand that makes one experiment of another was told.
struct TransformOptions {
    Command command;
    std::filesystem::path input;
    std::filesystem::path output;
};

/// Declares the input file and `-o` on a subcommand; its callback keeps the options.
std::shared_ptr<TransformOptions> addTransformOptions(Command& command) {
    auto options = std::make_shared<TransformOptions>(TransformOptions{command, {}, {}});
    command.option("input", options->input, "Experiment (.cubex), or its folder").required();
    addOutputOption(command, options->output);
    return options;
}

/// Reads the input, transforms it and writes the result with its provenance; says what it wrote. Nothing is
/// written on failure.
void transform(const TransformOptions& options,
               const std::function<algebra::Experiment(algebra::Experiment)>& operation) {
    algebra::Experiment input = algebra::readExperiment(options.input);
    const algebra::Provenance provenance = provenanceOf(options.command, {options.input}, {input});
    writeResult(operation(std::move(input)), provenance, options.output);
}

}  // namespace

void addCollapse(Command& app) {
    using algebra::CollapseTo;
    Command command = app.command("collapse", "Aggregate values per process, per node or over all locations");
    command.footer("Example: holos collapse run/analysis.cubex --to processes -o ranks.cubex");
    const auto options = addTransformOptions(command);
    const auto level = std::make_shared<CollapseTo>(CollapseTo::Processes);
    addChoice(command, "--to", *level,
              {{"processes", CollapseTo::Processes}, {"nodes", CollapseTo::Nodes}, {"one", CollapseTo::One}},
              "Add up the locations of each process, of each node, or all of them (one)")
        .required();
    command.action([options, level] {
        transform(*options, [level](algebra::Experiment experiment) {
            return algebra::collapse(std::move(experiment), *level);
        });
    });
}

namespace {

/// `METRIC=PERCENT`
algebra::Cut::Share shareFrom(const std::string& text) {
    const std::size_t sign = text.rfind('=');
    const std::string number = sign == std::string::npos ? "" : text.substr(sign + 1);
    const auto percent = asNumber<double>(number);
    if (!percent || !(*percent >= 0.0 && *percent <= 100.0))
        throw UsageError("--share: expected METRIC=PERCENT with a percentage from 0 to 100, not '" + text +
                         "'");
    return {text.substr(0, sign), *percent / 100.0};
}

}  // namespace

void addCut(Command& app) {
    Command command = app.command("cut", "Prune or re-root the call tree");
    command.footer(
        "What is cut off becomes part of its caller; inclusive values of the rest stay as they were.\n"
        "Example: holos cut run/analysis.cubex --root solve --share time=1 -o solver.cubex");
    const auto options = addTransformOptions(command);
    const auto how = std::make_shared<algebra::Cut>();
    const auto share = std::make_shared<std::string>();
    command.option("--root", how->roots,
                   "Keep only call paths below this region, which becomes a root; may be repeated");
    command.option("--prune", how->prune,
                   "Fold call paths of this region into their callers; may be repeated");
    command.option("--depth", how->depth, "Levels of the call tree to keep (1: only the roots)");
    command.option("--share METRIC=PERCENT", *share,
                   "Fold call paths with less than PERCENT of METRIC into their callers");
    command.action([options, how, share] {
        if (how->depth == 0U) throw UsageError("--depth: expected at least 1, not 0");
        if (!share->empty()) how->share = shareFrom(*share);
        transform(*options, [&how](algebra::Experiment experiment) {
            return algebra::cut(std::move(experiment), *how);
        });
    });
}

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

void addFlatten(Command& app) {
    Command command = app.command("flatten", "Make a region profile of a call tree");
    command.footer(
        "The result has one entry per region, with the sum of the exclusive values of its call paths.\n"
        "Example: holos flatten run/analysis.cubex -o profile.cubex");
    const auto options = addTransformOptions(command);
    command.action([options] { transform(*options, algebra::flatten); });
}

namespace {

/// The text of a remapping specification; nothing for a platform's name or file.
std::optional<std::string> remappingText(const std::string& specification) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(specification, ignored)) return std::nullopt;
    const algebra::FileReader file(specification);
    std::string text = file.read(0, file.size());
    return text.find("<metrics") == std::string::npos ? std::nullopt : std::optional(std::move(text));
}

std::string ownRemapping(const algebra::Experiment& experiment) {
    const auto found = experiment.files.find(algebra::kRemappingFile);
    if (found == experiment.files.end())
        throw Error("the experiment carries no remapping specification; --spec names one");
    return found->second;
}

algebra::Experiment remapTo(algebra::Experiment experiment, const std::string& specification,
                            algebra::Expressions expressions) {
    const auto text = specification.empty() ? ownRemapping(experiment) : remappingText(specification);
    if (!text) return algebra::applySpecification(std::move(experiment), specification);
    const std::string place = specification.empty() ? algebra::kRemappingFile : specification;
    return algebra::remap(std::move(experiment), algebra::readMetricHierarchy(*text, place), expressions);
}

}  // namespace

void addRemap(Command& app) {
    Command command = app.command("remap", "Arrange metrics in another hierarchy");
    command.footer(
        "Without --spec, the remapping specification is used that reports of Score-P and Scalasca contain.\n"
        "Expressions are replaced by their values for each call path and location.\n"
        "Examples:\n"
        "  holos remap scorep_run/profile.cubex -o summary.cubex\n"
        "  holos remap run/analysis.cubex --spec my.spec -o other.cubex");
    const auto options = addTransformOptions(command);
    const auto specification = std::make_shared<std::string>();
    const auto keep = std::make_shared<bool>(false);
    command.option("--spec", *specification,
                   "Remapping specification (file of CUBE's tools), or platform name or file");
    command.flag("--keep-expressions", *keep,
                 "Keep expressions as they are; programs that open the result evaluate them");
    command.action([options, specification, keep] {
        transform(*options, [&](algebra::Experiment experiment) {
            return remapTo(std::move(experiment), *specification,
                           *keep ? algebra::Expressions::Keep : algebra::Expressions::Evaluate);
        });
    });
}

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
