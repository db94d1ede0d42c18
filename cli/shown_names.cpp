// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shown_names.h"

#include "base/short_name.h"

namespace holos::cli {

void shortenNames(algebra::Experiment& experiment) {
    std::vector<std::string> names;
    for (const auto& region : experiment.regions) names.push_back(region.name);
    const ShortNames shortNames(names);
    for (auto& region : experiment.regions) region.name = shortNames.of(region.name);
}

}  // namespace holos::cli
