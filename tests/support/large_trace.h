// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

namespace holos::testing {

/// How large a generated trace is. It consists of rounds: in each, every process makes calls, then sends one
/// message to the next process and receives one from the previous.
struct LargeTraceShape {
    unsigned processes = 4;
    std::uint64_t rounds = 1000;
    std::uint64_t callsPerRound = 500;  ///< an enter and a leave each
    unsigned regions = 40;
    unsigned callPaths = 400;  ///< below `main`, without the two MPI calls
    unsigned depth = 12;       ///< of the deepest call path

    /// Of a location: the calls, six events for the two MPI calls of a round, and those of `main`.
    std::uint64_t eventsPerLocation() const { return rounds * (2 * callsPerRound + 6) + 2; }
    std::uint64_t events() const { return processes * eventsPerLocation(); }
};

/// Writes an archive of that shape into a directory; returns the path of its `.otf2` file. The same shape
/// gives the same trace each time. Takes memory for OTF2's buffers only.
std::filesystem::path writeLargeTrace(const std::filesystem::path& directory, const LargeTraceShape& shape);

}  // namespace holos::testing
