// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/scaling/study.h"

namespace holos::algebra::scaling {

/// Whether the problem stays the same when there are more threads, or grows with them.
enum class Scaling : std::uint8_t { Automatic, Strong, Weak };

/// What runs of one size have, on average, and in comparison with the smallest ones. Efficiencies and
/// scalabilities are those of the POP centre of excellence (https://pop-coe.eu/node/69): global = parallel ·
/// computation; computation = instructions · instructions per cycle · frequency. 1 is perfect; NaN cannot be
/// told.
struct SizeRow {
    Group group;
    double runtime = 0;  ///< seconds that the slowest thread takes
    /// Against the smallest runs; of weak scaling, for a problem that grew as the threads.
    double speedup = 0;
    Efficiencies efficiencies;
    double global = 0;
    /// Computation that the smallest runs need for the same work, divided by that here.
    double computation = 0;
    /// Instructions that the smallest runs need for the same work, divided by those here; nothing where they
    /// were not counted.
    std::optional<double> instructions;
    std::optional<double> perCycle;  ///< instructions per cycle, divided by those of the smallest runs
    /// Cycles per second of computation, divided by those of the smallest runs.
    std::optional<double> frequency;
};

struct ScalabilityTable {
    Scaling scaling = Scaling::Strong;
    bool isFound = false;  ///< from the runs, not said by the user
    /// By how many times threads, and the work of all of them, grew from the smallest to the largest runs.
    /// Work is instructions where they were counted, else computation.
    double threadsGrew = 1;
    double workGrew = 1;
    std::vector<SizeRow> rows;  ///< as `Study::groups`
};

/// The table over all sizes. Throws `holos::Error` that names the run which is not the analysis of a trace.
ScalabilityTable scalability(const Study& study, const MetricGuide& guide, Scaling scaling);

}  // namespace holos::algebra::scaling
