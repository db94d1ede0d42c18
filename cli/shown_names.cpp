// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shown_names.h"

#include "algebra/model/call_names.h"

namespace holos::cli {

void shortenNames(algebra::Experiment& experiment) {
    const ShortNames shortNames = algebra::shortNamesOf(experiment);
    for (auto& region : experiment.regions) region.name = shortNames.of(region.name);
}

}  // namespace holos::cli
