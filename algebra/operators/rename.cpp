// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rename.h"

namespace holos::algebra {

void renameRegions(Experiment& experiment, const std::map<std::string, std::string>& names) {
    for (Region& region : experiment.regions)
        if (const auto found = names.find(region.name); found != names.end()) region.name = found->second;
}

}  // namespace holos::algebra
