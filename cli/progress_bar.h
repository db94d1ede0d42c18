// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace holos::cli {

/// A function that draws the part done (0 to 1) as a bar on standard error; empty when standard error is no
/// terminal and `force` is not set. Not for several threads at the same time.
std::function<void(double)> progressBar(const std::string& label, bool force);

}  // namespace holos::cli
