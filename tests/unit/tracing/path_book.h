// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tracing/recorder/stacks/walk/path_tree.h"

/// In place of the recorder's tree of paths, for tests that want to read them.
namespace holos::tracing::stacks {

using Addresses = std::vector<std::uint64_t>;

/// The return addresses of a path, the innermost first; then what leads it (`kNoPath` and the like).
Addresses addressesOf(PathNumber path);

}  // namespace holos::tracing::stacks
