// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks {

/// The path that goes on from `caller` with a call that returns to this address: a new one is among the
/// definitions before anybody gets its number. When another file has come to the place of one that was
/// unloaded, it is another path; when the same file has come back there, it is the same. Takes no lock; safe
/// from several threads, and in a signal handler that did not interrupt it. Where there is no room left, it
/// is `kMorePaths`.
PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept;

}  // namespace holos::tracing::stacks
