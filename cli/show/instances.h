// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

/// The longest waits of each pattern, as the analysis of a trace left them in the experiment, at most
/// `request.top` of each, those of `request.metric` and its children alone where there is one, in
/// the format of the request. Throws `holos::Error` when there are none.
std::string showInstances(const algebra::Experiment& experiment, const ShowRequest& request);

}  // namespace holos::cli
