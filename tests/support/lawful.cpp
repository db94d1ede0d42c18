// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/lawful.h"

#include <stdexcept>

#include "algebra/insight/summary/result_laws.h"

namespace holos::testing {

std::string brokenLaws(const algebra::Experiment& experiment) {
    std::string text;
    for (const algebra::BrokenResultLaw& law : algebra::brokenResultLaws(experiment)) text += law.text + '\n';
    return text;
}

void requireLaws(const algebra::Experiment& experiment) {
    const std::string broken = brokenLaws(experiment);
    if (!broken.empty()) throw std::logic_error("broken law: " + broken);
}

}  // namespace holos::testing
