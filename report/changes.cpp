// SPDX-License-Identifier: BSD-3-Clause
// From one of two experiments to the other, in sentences.
#include "algebra/runs/change.h"
#include "report/comparison.h"

namespace holos::report {

std::vector<std::string> changeOf(const Subjects& subjects) {
    if (subjects.size() != 2) return {};
    algebra::Matching loosely;
    loosely.loosely = true;
    const auto change = algebra::changeBetween({subjects.name(0), {subjects.experiment(0)}},
                                               {subjects.name(1), {subjects.experiment(1)}}, loosely);
    return change ? change->sentences : std::vector<std::string>();
}

}  // namespace holos::report
