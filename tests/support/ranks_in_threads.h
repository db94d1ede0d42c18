// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/analyze.h"
#include "analyzer/workers/ranks.h"

namespace holos::testing {

/// Calls `work` for each of `count` ranks, in a thread each; their messages go through memory. All ranks must
/// have finished in the end, once. Throws what the first rank's work threw; the others may only throw
/// `FailureElsewhere`.
void runAsRanks(unsigned count, const std::function<void(analyzer::workers::Ranks&)>& work);

/// The first rank's result.
analyzer::AnalysisResult analyzeByRanks(unsigned count, const std::filesystem::path& archive,
                                        analyzer::AnalysisOptions options);

/// Analyzed by one worker, by several, and by several ranks the archive gives the same to the last bit.
void expectSameByAnyWorkersAndRanks(const std::filesystem::path& archive);

}  // namespace holos::testing
