// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/specification_file.h"

#include <algorithm>

namespace holos::algebra {

void keepSharedSpecification(Experiment& result, const Inputs& inputs) {
    const auto kept = result.files.find(kSpecificationFile);
    if (kept == result.files.end()) return;
    const bool shared = std::all_of(inputs.begin(), inputs.end(), [&kept](const Experiment& input) {
        const auto own = input.files.find(kSpecificationFile);
        return own != input.files.end() && own->second == kept->second;
    });
    if (!shared) result.files.erase(kept);
}

}  // namespace holos::algebra
