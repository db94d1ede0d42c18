// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "analyzer/patterns/metric.h"

namespace holos::analyzer::assemble {

/// The metrics that no pattern measures: those that group others, and those that follow from the classes of
/// regions. Parents stand before their children, siblings in Scalasca's order.
std::span<const patterns::Metric> timeGroups();
std::span<const patterns::Metric> countGroups();

}  // namespace holos::analyzer::assemble
