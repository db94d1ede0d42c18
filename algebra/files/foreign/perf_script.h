// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace holos::algebra {

/// Whether this is the first line of a sample as `perf script` prints it.
bool isPerfSample(std::string_view line);

}  // namespace holos::algebra
