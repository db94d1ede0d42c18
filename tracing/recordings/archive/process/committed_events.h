// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// What a process that may go on to write has recorded completely.
struct CommittedEvents {
    ChunkPlaces chunks;
    std::optional<std::uint64_t> newest;  ///< ticks of the newest record
};

/// Of a process whose definitions are known and that writes over nothing (`copyOverwritten` is for the
/// others): what is found stays as it is. `until`: ticks behind which nothing is wanted.
CommittedEvents committedEvents(const RecordedProcess& process, std::uint64_t until);

/// Copies the file of events of a process that goes on and writes over its oldest ones (`--when-full
/// newest`): of each location the newest chunks that were whole, in the order of time. An empty chunk before
/// them says that there were older ones. `near`: ticks from about the time of the first event. Throws
/// `Error`.
void copyOverwritten(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t near);

}  // namespace holos::archive
