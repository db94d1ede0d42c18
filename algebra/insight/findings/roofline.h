// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// What one node can do at most.
struct Roofs {
    std::optional<double> operations;  ///< floating-point operations per second
    std::optional<double> bandwidth;   ///< bytes per second to and from memory

    bool areKnown() const { return operations && bandwidth; }
    /// Operations per second that this many operations per byte allow. Both roofs must be known.
    double at(double intensity) const;
    /// Operations per byte where the roofs meet: below it memory is the limit.
    double ridge() const { return *operations / *bandwidth; }
};

/// The roofs that the experiment's attributes say, where `given` has none.
Roofs roofsOf(const Experiment& experiment, const Roofs& given = {});

/// What a call path does by itself, without the call paths below it.
struct RooflinePoint {
    CallPathId path;
    double seconds = 0;    ///< of all threads together
    double intensity = 0;  ///< floating-point operations per byte to and from memory
    double rate = 0;       ///< floating-point operations per second of one node, while the path is executed
};

/// The roofline model (S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance
/// model for multicore architectures", CACM 52(4), 2009).
struct Roofline {
    std::vector<RooflinePoint> points;  ///< those with most time first
    double seconds = 0;                 ///< of all points
    std::string whyEmpty;               ///< a sentence, where there are no points
};

/// Metrics that a specification defines for the model. The second is in bytes.
inline constexpr const char* kOperationsMetric = "FP_OPERATIONS";
inline constexpr const char* kMemoryBytesMetric = "MEMORY_BYTES";

/// One point for each call path that has both, and time. A path is executed for as long as the thread that is
/// there longest; its operations are divided by that time and by the number of nodes with processes. Pure;
/// thread safety: safe.
Roofline rooflineOf(const Experiment& experiment);

/// How much memory moved, and how much it could have moved meanwhile, as the peak of the machine was
/// measured.
struct BandwidthUse {
    std::vector<double> bytes;     ///< by CallPathId, without the call paths below it
    std::vector<double> possible;  ///< the same
};

/// Nothing where the bytes, the times or the peak are not known. Pure; thread safety: safe.
std::optional<BandwidthUse> bandwidthUseOf(const Experiment& experiment);

}  // namespace holos::algebra
