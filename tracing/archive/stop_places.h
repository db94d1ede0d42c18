// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracing/archive/plan.h"

namespace holos::archive {

/// Where the threads of programs that did not end in order were at their last event.
class StopPlaces {
  public:
    /// `open`: its regions, the outermost first.
    void add(const TracePlan& plan, const std::string& thread, const std::vector<std::uint32_t>& open);

    /// One sentence for each call path: `MPI Rank 0, MPI Rank 3 stopped in main / solve / MPI_Recv`.
    std::vector<std::string> notes() const;

  private:
    std::map<std::string, std::vector<std::string>> threads_;  ///< by call path
};

}  // namespace holos::archive
