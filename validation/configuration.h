// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "validation/validation.h"

/// What the microbenchmarks presuppose of the machine, found out by microbenchmarks (the validity study,
/// section 4.1.2).
namespace holos::validation {

/// Page faults when the first and the last word of every second region were touched.
struct PaddingProbe {
    std::size_t regionBytes = 0;
    std::size_t offset = 0;  ///< of the first region from the start of a page
    std::size_t pairs = 0;
    double faults = 0.0;
};

/// A region of the size of a page that begins where a page begins costs one fault, and a larger one two: the
/// largest region that some offset gives one fault for each pair. 0 when there is none.
std::size_t pageByPadding(const std::vector<PaddingProbe>& probes);

/// What an access takes at a distance of so many bytes.
struct TimedAccess {
    std::size_t bytes = 0;
    double nanoseconds = 0.0;
};

/// The stride with the longest mean access: below, some accesses share a page; above, fewer pages are touched
/// than the processor remembers (Saavedra and Smith 1995). 0 without any.
std::size_t pageByStride(const std::vector<TimedAccess>& sweep);

/// The least distance from which on two processors do not disturb each other: none takes half as long as the
/// longest or more. 0 when they always do, or never.
std::size_t lineByFalseSharing(const std::vector<TimedAccess>& sweep);

/// Runs the configuration microbenchmarks, in about a second.
std::vector<Property> findConfiguration();

}  // namespace holos::validation
