// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Laws of the results of a run that hold of an experiment, too, by how it came about: sums keep what is said
/// of sums, differences keep equations, and of a part of a call tree causes may be elsewhere.
struct KeptLaws {
    bool signs = true;    ///< no time is negative
    bool parts = true;    ///< parts are no more than their whole
    bool balance = true;  ///< what is above an average is as much as what is below it, in each call path
    bool causes = true;   ///< nobody is blamed for more waiting than there is
    bool lengths = true;  ///< nothing takes longer than the run

    friend bool operator==(const KeptLaws&, const KeptLaws&) = default;
};

/// By the experiment's provenance; all of what no operator made. Pure; thread safety: safe.
KeptLaws keptLaws(const Experiment& experiment);

}  // namespace holos::algebra
