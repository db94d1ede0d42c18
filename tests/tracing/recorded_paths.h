// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// `main/solve/MPI_Barrier`: the regions that lead to a call path, without the program. Of `functions`, if
/// any are named, those alone, and the regions with the paradigm of the last one.
std::string namesOf(const algebra::Experiment& experiment, algebra::CallPathId path,
                    const std::set<std::string>& functions = {});

/// How often the regions of a paradigm were entered, by `namesOf`, from whichever lines.
std::map<std::string, double> visitsByNames(const algebra::Experiment& experiment,
                                            const std::string& paradigm,
                                            const std::set<std::string>& functions = {});

}  // namespace holos::testing
