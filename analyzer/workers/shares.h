// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::workers {

/// Which rank reads which location, by size: the largest first, always to the rank that has least. Threads
/// that are in a team together stay together, because workers have to know where their master forked. The
/// same on all ranks.
/// Thread safety: safe to read.
class Shares {
  public:
    Shares(const trace::Definitions& definitions, unsigned ranks);

    unsigned readerOf(trace::LocationId location) const { return readers_[location.index()]; }
    /// In ascending order.
    std::vector<trace::LocationId> of(unsigned rank) const;

  private:
    std::vector<unsigned> readers_;  ///< by location
};

}  // namespace holos::analyzer::workers
