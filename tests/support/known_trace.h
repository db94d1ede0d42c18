// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

#include "tests/support/known_values.h"

namespace holos::testing {

/// A trace of rounds. In each, all processes go from scene to scene, one scene for each way to wait, and meet
/// at a barrier behind it, so that nothing of a scene reaches the next one. In a scene everybody works for a
/// time of its own, and then does what somebody waits in.
struct KnownTraceShape {
    unsigned processes = 4;
    unsigned threads = 2;  ///< of each process; scenes of threads need two
    std::uint64_t rounds = 10;
    /// Each process has a clock of its own that runs by so many parts per million faster than the one of the
    /// process before; the trace says how far they are apart at its start and its end.
    unsigned clockDrift = 0;
    /// In each round every process sends a message that nobody receives, and has a function that never ends.
    bool faults = false;
};

struct KnownTrace {
    std::filesystem::path anchor;
    KnownValues values;
};

/// Writes an archive of that shape into a directory. Takes memory for OTF2's buffers, the known values and a
/// few numbers for each round. The same shape gives the same trace each time.
KnownTrace writeKnownTrace(const std::filesystem::path& directory, const KnownTraceShape& shape);

}  // namespace holos::testing
