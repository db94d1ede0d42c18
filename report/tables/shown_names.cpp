// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/shown_names.h"

#include "algebra/model/call_names.h"

namespace holos::tables {

void shortenNames(algebra::Experiment& experiment) {
    const ShortNames shortNames = algebra::shortNamesOf(experiment);
    for (auto& region : experiment.regions) region.name = shortNames.of(region.name);
}

}  // namespace holos::tables
