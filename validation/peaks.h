// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "metric-specs/machine_peaks.h"

/// What this machine can do at most, for the roofline model.
namespace holos::validation {

/// How much is done to find out.
struct PeakWork {
    unsigned threads = 1;      ///< each on a processor of its own
    std::uint64_t rounds = 0;  ///< of floating-point operations, in each thread and repetition
    std::size_t elements = 0;  ///< of each of the three arrays of each thread
    unsigned repetitions = 1;  ///< the best one counts
};

/// Enough for this machine: all processors that this process may use, and arrays of four times the share that
/// a thread has of the last-level cache, as STREAM demands (J. McCalpin, "Memory Bandwidth and Machine
/// Balance in Current High Performance Computers", 1995), but of no more than a quarter of the memory.
PeakWork workOfThisMachine();

/// Runs the work. `seconds`: a clock that only grows, asked before and after each repetition.
///
/// Operations: fused multiplications and additions of doubles, which count as two each, of the widest vectors
/// that the processor has and this program knows, in many independent chains. Bandwidth: `a = b + s * c`, of
/// which as in STREAM 24 bytes count for each element, not what a processor reads of `a` before it writes it.
/// Throws `Error` where a thread cannot be pinned.
specs::MachinePeaks measurePeaks(const PeakWork& work, const std::function<double()>& seconds);

/// Doubles in the vectors that are used.
std::size_t doublesAtATime();

}  // namespace holos::validation
