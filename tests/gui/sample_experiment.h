// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "algebra/model/experiment.h"
#include "gui/models/value_cache.h"

namespace holos::gui::testing {

/// A small experiment whose values are easily added up by hand. Two processes of two threads.
///
///     time (sec), exclusive along the call tree        of which mpi          of which late sender
///                     t0   t1 | t2   t3   sum
///     main             1    0 |  1    0     2
///       init           2    0 |  2    0     4
///       solve          3    1 |  4    2    10
///         MPI_Recv     1    0 |  3    0     4          1 0 3 0  =  4         0.5 0 2 0  =  2.5
///     sum              7    1 | 10    2    20
///
///     ~stalls (occ, incomplete): solve 100 each thread, 400 together
///     mpi_share: a ratio, mpi / time
///     group: void, with the child `inside` (occ): init 7 in t0
algebra::Experiment sampleExperiment();

/// The trees of `sampleExperiment` with signed times: main +1 in t0, init −4 in t0, solve +2 in t3; sum −1.
algebra::Experiment signedExperiment();

/// As the models take it.
inline ExperimentPtr shared(algebra::Experiment experiment) {
    return std::make_shared<const algebra::Experiment>(std::move(experiment));
}

}  // namespace holos::gui::testing
