// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// The metrics that an experiment is to have: stored ones by name only, derived ones with their expressions.
struct MetricHierarchy {
    MetricForest metrics;
    std::vector<std::string> mirrors;  ///< bases of `@mirror@` in URLs
};

/// The member of `Experiment::files` in which Score-P and Scalasca put the hierarchy that they propose.
inline constexpr const char* kRemappingFile = "remapping.spec";

/// Reads a remapping specification as CUBE's tools write them: the elements `<doc>` and `<metrics>` of an
/// `anchor.xml`, without numbers. Throws `holos::Error` with file and line.
MetricHierarchy readMetricHierarchy(const std::string& text, const std::string& file);

/// What becomes of expressions that are evaluated for each call path and location.
enum class Expressions : unsigned char { Evaluate, Keep };

/// Moves an experiment to another metric hierarchy, as `cube_remap2` does. Metrics of the hierarchy without
/// an expression have the values of the experiment's metric of the same unique name, or none. Metrics of the
/// experiment that the hierarchy does not name stay, below the parent that they had or as roots.
///
/// `Evaluate` turns prederived metrics into stored ones, whose rows are made when they are needed; an
/// expression that cannot be evaluated is reported then, as `holos::Error` that names the metric. Ratios
/// (postderived metrics), and metrics whose initialisation others may need, stay expressions.
Experiment remap(Experiment experiment, MetricHierarchy hierarchy,
                 Expressions expressions = Expressions::Evaluate);

}  // namespace holos::algebra
