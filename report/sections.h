// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace holos::query {
struct IterationTimes;
}

namespace holos::report {

std::vector<Fact> configurationOf(const Subjects& subjects);
std::vector<Section> metricSections(const Subjects& subjects);
/// Throws `holos::Error` for a call path that no experiment has.
std::vector<Section> callPathSections(const Subjects& subjects, const std::vector<std::string>& names);
Section hottestPaths(const Subjects& subjects, std::size_t top);
Section waitStates(const Subjects& subjects, std::size_t top);
/// Iterations that differ: in one run from the others, or between the first run and the last one.
Section iterationsOf(const std::vector<query::IterationTimes>& runs, std::size_t top);
std::vector<Spread> spreadsOf(const Subjects& subjects);
std::vector<RooflinePicture> rooflinesOf(const Subjects& subjects, const algebra::Roofs& roofs);

}  // namespace holos::report
