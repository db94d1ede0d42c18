// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// How large a generated experiment is, and what is in it.
struct LargeExperimentShape {
    unsigned metrics = 6;
    unsigned callPaths = 3000;
    unsigned ranks = 64;
    unsigned threads = 4;    ///< per rank
    double density = 1.0;    ///< share of (metric, call path) that have values
    bool whole = false;      ///< whole numbers instead of fractions
    bool inclusive = false;  ///< stored inclusive along the call tree
    std::uint64_t seed = 1;

    std::uint64_t locations() const { return std::uint64_t{ranks} * threads; }
    std::uint64_t values() const { return std::uint64_t{metrics} * callPaths * locations(); }
};

/// An experiment of that shape: one process per rank, 64 ranks per node, call paths in a tree that is as deep
/// as their number has binary digits. The same shape gives the same values each time; experiments that differ
/// in their seed only have the same structure and other values. Values are made when they are asked for and
/// take no memory, so that files of any size can be written.
algebra::Experiment largeExperiment(const LargeExperimentShape& shape);

}  // namespace holos::testing
