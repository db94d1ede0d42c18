// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/show/show_formats.h"

namespace holos::cli {

/// The source lines where most of the metric is spent, in the format that is asked for. Throws `holos::Error`
/// when no line is known of anything that has a value, or sums over lines mean nothing.
std::string showSourceLines(const algebra::Experiment& experiment, const ShowRequest& request,
                            const Style& style);

}  // namespace holos::cli
