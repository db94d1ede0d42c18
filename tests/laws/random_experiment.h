// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// The specification that random experiments carry: sums of sums over the events `e0` … `e5`, and a
/// difference.
extern const char* const kRandomSpecification;

/// What varies between the experiments of one seed: a subset of the events, of the call paths, and threads.
struct RandomOptions {
    std::vector<std::string> events;
    int ranks = 2;
    int threads = 2;
    bool lines = false;      ///< regions are called, under the same name, from other lines as well
    bool fractions = false;  ///< values are any numbers, whose sums are rounded
};

/// An experiment with whole values below 1000 (unless asked for others) that are sums of powers of two, so
/// that sums and means of up to four are exact. The same seed gives the same experiment. Derived with
/// `kRandomSpecification`.
algebra::Experiment randomExperiment(unsigned seed, const RandomOptions& options);

}  // namespace holos::testing
