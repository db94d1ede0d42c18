// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algebra/operators/unite/inputs.h"
#include "cli/choice.h"

namespace holos::cli {

/// How the systems of the inputs become one.
enum class Systems : unsigned char { ByRanks, ByStructure, Collapsed };
constexpr auto wordsOf(Systems) {
    return std::array{std::pair{"ranks", Systems::ByRanks}, std::pair{"structure", Systems::ByStructure},
                      std::pair{"collapse", Systems::Collapsed}};
}

/// What a subcommand that makes one experiment of several was told.
struct CombineOptions {
    Command command;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    algebra::Matching matching;
    Systems systems = Systems::ByRanks;
    std::vector<std::string> renames;  ///< `OLD=NEW`
};

/// Declares the input files, how their parts pair up, and `-o` on a subcommand; its callback keeps the
/// options.
std::shared_ptr<CombineOptions> addCombineOptions(Command& command);

using Operation = std::function<algebra::Experiment(const algebra::Inputs&, const algebra::Matching&)>;
/// Is given the inputs as they are, before systems that differ are collapsed.
using Examination = std::function<void(const algebra::Inputs&)>;

/// Reads the inputs, combines them and writes the result with its provenance; says what it wrote. Nothing is
/// written on failure.
void combine(const CombineOptions& options, const Operation& operation, const Examination& examine = {});

}  // namespace holos::cli
