// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algebra/operators/inputs.h"
#include "algebra/operators/matching.h"

namespace holos::cli {

/// What a subcommand that makes one experiment of several was told.
struct CombineOptions {
    const CLI::App* command = nullptr;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    algebra::Matching matching;
    bool collapse = false;  ///< systems that differ
    std::map<std::string, std::string> renamed;
};

/// Declares the input files, how their parts pair up, and `-o` on a subcommand; its callback keeps the
/// options.
std::shared_ptr<CombineOptions> addCombineOptions(CLI::App& command);

/// Reads the inputs, combines them and writes the result with its provenance; says what it wrote. Nothing is
/// written on failure.
void combine(
    const CombineOptions& options,
    const std::function<algebra::Experiment(const algebra::Inputs&, const algebra::Matching&)>& operation);

}  // namespace holos::cli
