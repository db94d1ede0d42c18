// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/queries.h"
#include "base/chosen.h"

namespace holos::tables {

/// What to draw in front of the lines of a tree: `├─ `, `│  └─ `. `levels` are those of the lines from top to
/// bottom, 0 for a root. Of very deep lines only the inner branches are drawn, behind `…`.
std::vector<std::string> treeBranches(const std::vector<std::size_t>& levels);

/// A node of the call tree or the system tree with the values of a metric. NaN is undefined.
struct TreeLine {
    std::size_t level = 0;  ///< 0 for a root
    std::string name;
    std::string kind;                 ///< a region's role; a node's class, `process` or `thread`
    double inclusive = 0.0;           ///< with all that is below
    std::optional<double> exclusive;  ///< without; nothing in the system tree
    std::string calledAt = {};        ///< a call path, with folders; empty where it is not known
};

/// Depth first, parents before children. A process with one thread stands for it.
std::vector<TreeLine> callTreeLines(const algebra::Experiment& experiment, algebra::MetricId metric);
std::vector<TreeLine> systemTreeLines(const algebra::Experiment& experiment, algebra::MetricId metric);

struct TreeLimits {
    AtMost depth = kAll;  ///< levels
    double least = 0.0;   ///< magnitude that a line, or one below it, must reach
    bool zeros = false;   ///< lines without any value, too
};

std::vector<TreeLine> limited(const std::vector<TreeLine>& lines, const TreeLimits& limits);

/// The largest magnitude of any value; 0 without values.
double largestMagnitude(const std::vector<TreeLine>& lines);

/// Quartiles, mean, imbalance and a small histogram of the values of all locations; nothing for fewer than
/// two.
std::string distributionText(const std::vector<double>& values, const std::string& unit);

/// Makes long names of functions shorter for reading (`ShortNames`). What is written or compared afterwards
/// would miss the rest.
void shortenNames(algebra::Experiment& experiment);

}  // namespace holos::tables
