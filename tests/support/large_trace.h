// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

namespace holos::testing {

/// How large a generated trace is. It consists of rounds: in each, every process makes calls, its threads run
/// parallel regions, then it sends one message to the next process and receives one from the previous. On
/// each node a location of its own may read counters, at equal distances in time.
struct LargeTraceShape {
    unsigned processes = 4;
    std::uint64_t rounds = 1000;
    std::uint64_t callsPerRound = 500;  ///< an enter and a leave each
    unsigned regions = 40;
    unsigned callPaths = 400;             ///< below `main`, without the two MPI calls
    unsigned depth = 12;                  ///< of the deepest call path
    unsigned threads = 1;                 ///< of each process
    std::uint64_t parallelsPerRound = 0;  ///< regions of all threads, each with a barrier at its end
    unsigned nodes = 1;                   ///< processes stand on them one after the other
    unsigned nodeCounters = 0;            ///< that are read for each node
    std::uint64_t readings = 1000;        ///< of these

    /// Of a thread: a region's team, its own enter and leave, and those of the barrier.
    std::uint64_t eventsPerWorker() const { return rounds * parallelsPerRound * 6; }
    /// Of a process's first thread: the calls, the regions with their fork and join, six events for the two
    /// MPI calls of a round, and those of `main`.
    std::uint64_t eventsPerMaster() const {
        return rounds * (2 * callsPerRound + 8 * parallelsPerRound + 6) + 2;
    }
    std::uint64_t events() const {
        return processes * (eventsPerMaster() + (threads - 1) * eventsPerWorker()) +
               (nodeCounters != 0 ? nodes * readings : 0);
    }
};

/// Writes an archive of that shape into a directory; returns the path of its `.otf2` file. The same shape
/// gives the same trace each time. Takes memory for OTF2's buffers only.
std::filesystem::path writeLargeTrace(const std::filesystem::path& directory, const LargeTraceShape& shape);

}  // namespace holos::testing
