// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/files/xml_writer.h"
#include "algebra/model/experiment.h"

namespace holos::algebra {

/// By MetricId, whether a CUBE 3 document can have the metric: one value per place, which adds up. That is,
/// stored numbers, and expressions that are evaluated before they are summed.
std::vector<bool> metricsForCube3(const Experiment& experiment);

/// The inside of `<system>`: trees of any depth as machines, nodes, processes and threads. A machine is a
/// root, a node whatever has processes, under the names of all levels between.
void writeCube3System(const Experiment& experiment, XmlWriter& xml);

}  // namespace holos::algebra
