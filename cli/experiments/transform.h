// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "algebra/model/experiment.h"
#include "cli/command.h"

namespace holos::cli {

/// What a subcommand that makes one experiment of another was told.
struct TransformOptions {
    Command command;
    std::filesystem::path input;
    std::filesystem::path output;
};

/// Declares the input file and `-o` on a subcommand; its callback keeps the options.
std::shared_ptr<TransformOptions> addTransformOptions(Command& command);

/// Reads the input, transforms it and writes the result with its provenance; says what it wrote. Nothing is
/// written on failure.
void transform(const TransformOptions& options,
               const std::function<algebra::Experiment(algebra::Experiment)>& operation);

}  // namespace holos::cli
