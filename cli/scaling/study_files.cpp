// SPDX-License-Identifier: BSD-3-Clause
#include "cli/scaling/study_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "algebra/files/experiment_file.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/commands.h"

namespace holos::cli {

using namespace algebra::scaling;
namespace fs = std::filesystem;

double parameterValue(const std::string& option, const std::string& word) {
    const auto value = asNumber<double>(word);
    if (!value || !(*value >= 1))
        throw UsageError(option + ": expected a number that is at least 1, not '" + word + "'");
    return *value;
}

namespace {

struct NamedParameter {
    std::string name;
    std::vector<double> values;  ///< by input
};

/// `size=10,20,40`.
NamedParameter parameterOf(const std::string& text, std::size_t inputs) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw UsageError("--parameter: expected NAME=VALUE,VALUE,…, not '" + text + "'");
    NamedParameter parameter{text.substr(0, equals), {}};
    for (std::size_t from = equals + 1; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        parameter.values.push_back(parameterValue("--parameter", text.substr(from, comma - from)));
        from = comma + 1;
    }
    if (parameter.values.size() != inputs)
        throw UsageError(fmt::format(
            "--parameter {}: expected one value for each experiment, in turn: it has {} for {}",
            parameter.name, counted(parameter.values.size(), "value"), counted(inputs, "experiment")));
    return parameter;
}

/// `--parameter x=1,2,4 y=8,9,9`: what follows without the option stands among the experiments.
bool isParameter(const fs::path& input) {
    const std::string text = input.string();
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() || fs::exists(input))
        return false;
    return text.find_first_not_of("0123456789.,eE+-", equals + 1) == std::string::npos;
}

}  // namespace

void takeParametersFromInputs(StudyFiles& files) {
    if (files.parameters.empty()) return;
    for (const fs::path& input : files.inputs)
        if (isParameter(input)) files.parameters.push_back(input.string());
    std::erase_if(files.inputs, isParameter);
}

Study studyOf(const StudyFiles& files, Size size, const std::vector<double>& sizes) {
    StudyOptions how{.size = size, .parameters = {}};
    std::vector<SizedRun> runs;
    for (const fs::path& file : files.inputs) runs.push_back({file.string(), nullptr, {}});
    for (const std::string& text : files.parameters) {
        const NamedParameter parameter = parameterOf(text, runs.size());
        how.parameters.push_back(parameter.name);
        for (std::size_t run = 0; run < runs.size(); ++run)
            runs[run].parameters.push_back(parameter.values[run]);
    }
    for (std::size_t run = 0; run < runs.size(); ++run)
        runs[run].experiment =
            std::make_shared<const algebra::Experiment>(algebra::readExperiment(files.inputs[run]));
    if (!sizes.empty() && !differInSize(runs)) {
        how.parameters = {"size"};
        for (std::size_t run = 0; run < runs.size(); ++run) runs[run].parameters = {sizes[run]};
    }
    return {std::move(runs), how};
}

}  // namespace holos::cli
