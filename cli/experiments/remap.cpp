// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/remap.h"

#include "algebra/files/file_reader.h"
#include "algebra/operators/derive/derive.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/experiments/transform.h"

namespace holos::cli {
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

}  // namespace holos::cli
