// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "algebra/cubepl/evaluation.h"
#include "algebra/model/ids.h"

namespace holos::algebra {

struct Experiment;

/// What the metrics' initialisations (`cubeplinit`) leave behind. They run in the order of the metrics; an
/// initialisation sees what was declared `global` before.
struct Initialisation {
    cubepl::Variables shared;                   ///< declared `global`: for the expressions of all metrics
    std::map<MetricId, cubepl::Variables> own;  ///< for the expression of the metric alone
    std::set<MetricId> madeVoid;                ///< lost their value by `cube::metric::set`
    std::map<MetricId, std::string> failures;   ///< why an initialisation could not run
};

Initialisation initialise(const Experiment& experiment);

}  // namespace holos::algebra
