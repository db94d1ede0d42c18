// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

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

}  // namespace holos::algebra
