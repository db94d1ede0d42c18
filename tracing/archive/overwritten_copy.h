// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

namespace holos::archive {

/// Copies the file of events of a process that goes on and writes over its oldest ones (`--when-full
/// newest`): of each location the newest chunks that were whole, in the order of time. An empty chunk before
/// them says that there were older ones. `near`: ticks from about the time of the first event. Throws
/// `Error`.
void copyOverwritten(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t near);

}  // namespace holos::archive
