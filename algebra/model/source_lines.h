// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// A line of the program's source, as the experiment names it.
struct SourceLine {
    std::string file;
    std::int64_t line = 0;  ///< from 1; 0: not known

    friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

/// Where a call path is in the source: where it is called, else where its region begins; that may be a single
/// line, as samples of the call stack find it. Nothing where the experiment names no file.
std::optional<SourceLine> sourceLineOf(const Experiment& experiment, CallPathId path);
/// Whether that is where it is called.
bool hasLineOfCall(const Experiment& experiment, CallPathId path);

/// What a region belongs to: `MPI`, `OpenMP`, else the name of its source file or library.
std::string belongingOf(const Region& region);

/// A line in a function, as samples found it: it is not called.
bool isSampledLine(const Experiment& experiment, CallPathId path);

/// What is spent at a line.
struct LineValue {
    SourceLine place;
    /// In all that is called or begins there, with what that calls; recursion counts once.
    double inclusive = 0;
    double own = 0;  ///< without what has a line of its own
};

/// Of call paths by CallPathId: with what they call, and without.
struct PathValues {
    std::vector<double> inclusive;
    std::vector<double> exclusive;
};

/// Whether samples say at which lines of a function a metric was spent that is known of the whole function
/// only: for times of the program, as the analysis divides them among functions by samples, too.
bool isDividedAmongLines(const Experiment& experiment, MetricId metric);
/// Divides what was spent in functions among their lines that have samples, in proportion to them; an
/// estimate. `samples` are the exclusive values of `kSamplesMetric`. For metrics that `isDividedAmongLines`.
PathValues dividedAmongLines(const Experiment& experiment, PathValues values,
                             const std::vector<double>& samples);
/// Numbers of samples of the stack, by line where lines are known.
inline constexpr const char* kSamplesMetric = "samples";

/// By file and line, of those that are known. `inclusive` and `exclusive` are by call path.
std::vector<LineValue> lineValues(const Experiment& experiment, const std::vector<double>& inclusive,
                                  const std::vector<double>& exclusive);

}  // namespace holos::algebra
