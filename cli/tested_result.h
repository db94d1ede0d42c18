// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "algebra/model/experiment.h"
#include "base/links.h"

namespace holos::cli {

/// Writes an experiment. On standard error: which laws of results do not hold in it
/// (`algebra/insight/summary/result_laws.h`).
void writeTested(const algebra::Experiment& experiment, const std::filesystem::path& output,
                 Links links = Links::Followed);

}  // namespace holos::cli
