// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/comparison.h"

namespace holos::report {

/// The efficiencies of those that have more than one thread, as POP defines them.
Section efficiencySection(const Subjects& subjects);

/// What the specifications of the experiments find worth saying.
std::vector<std::string> findingsOf(const Subjects& subjects);

}  // namespace holos::report
