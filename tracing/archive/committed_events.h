// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "tracing/archive/recording.h"

namespace holos::archive {

/// What a process that may go on to write has recorded completely.
struct CommittedEvents {
    ChunkPlaces chunks;
    std::optional<std::uint64_t> newest;  ///< ticks of the newest record
};

/// Of a process whose definitions are known and that writes over nothing (`overwritten_copy.h` is for the
/// others): what is found stays as it is. `until`: ticks behind which nothing is wanted.
CommittedEvents committedEvents(const RecordedProcess& process, std::uint64_t until);

}  // namespace holos::archive
