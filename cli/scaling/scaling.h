// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algebra/insight/scaling/study.h"

namespace holos::cli {

/// Experiments of different sizes, as they stand on a command line.
struct StudyFiles {
    std::vector<std::filesystem::path> inputs;
    std::vector<std::string> parameters;  ///< of `--parameter`: `size=10,20,40`, a value for each input
};

/// `--parameter x=1,2,4 y=8,9,9`: what follows without the option stands among the experiments, and goes to
/// the parameters.
void takeParametersFromInputs(StudyFiles& files);

/// Reads the experiments. `sizes`, by input, are what differs where processes and threads do not. Throws
/// `UsageError` for parameters that are none.
algebra::scaling::Study studyOf(const StudyFiles& files,
                                algebra::scaling::Size size = algebra::scaling::Size::Automatic,
                                const std::vector<double>& sizes = {});

/// The number that the option's word is, at least 1; throws `UsageError`.
double parameterValue(const std::string& option, const std::string& word);

}  // namespace holos::cli
