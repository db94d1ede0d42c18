// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/unite/inputs.h"
#include "base/links.h"
#include "base/output_file.h"
#include "cli/command.h"

namespace holos::cli {

/// Writes an experiment. On standard error: which laws of results do not hold in it
/// (`algebra/insight/summary/result_laws.h`).
void writeTested(const algebra::Experiment& experiment, const std::filesystem::path& output,
                 Links links = Links::Followed);

/// The option `-o` of every subcommand that writes an experiment.
void addOutputOption(Command& command, std::filesystem::path& output);

/// The subcommand as an operator: its name, the options that were given, its inputs with their own history.
algebra::Provenance provenanceOf(const Command& command, const std::vector<std::filesystem::path>& files,
                                 const algebra::Inputs& inputs);

/// Writes an experiment with its provenance and says what it wrote.
void writeResult(algebra::Experiment result, const algebra::Provenance& provenance,
                 const std::filesystem::path& output, Links links = Links::Followed);

}  // namespace holos::cli
