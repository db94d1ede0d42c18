// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "analyzer/analyze.h"

namespace holos::cli {

/// A function that draws the part done as a bar on standard error, with events per second and the time left;
/// empty when standard error is no terminal and `force` is not set. Not for several threads at the same time.
std::function<void(const analyzer::AnalysisProgress&)> progressBar(const std::string& label, bool force);

}  // namespace holos::cli
