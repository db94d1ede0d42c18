// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/patterns/measured.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::collate {

/// Merges the locations' call trees and severities. `severities` is by location.
algebra::Experiment buildExperiment(const replay::ReplayedTrace& trace,
                                    const std::vector<patterns::LocalSeverities>& severities);

}  // namespace holos::analyzer::collate
