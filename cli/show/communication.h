// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

/// Who sent what to whom, as the analysis of a trace left it in the experiment: the `request.top` pairs with
/// most bytes , in the format of the request. Throws `holos::Error` when the experiment does not
/// know.
std::string showCommunication(const algebra::Experiment& experiment, const ShowRequest& request);

}  // namespace holos::cli
