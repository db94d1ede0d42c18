// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracing/archive/plan.h"

namespace holos::archive {

/// Where the threads of programs that did not end in order were at their last event, or those of programs
/// that go on at the moment of a snapshot.
class StopPlaces {
  public:
    /// `open`: its regions, the outermost first.
    void add(const TracePlan& plan, const std::string& thread, const std::vector<std::uint32_t>& open,
             bool goesOn);

    /// One sentence for each call path: `MPI Rank 0, MPI Rank 3 stopped in main / solve / MPI_Recv`; `went
    /// on` for those that go on.
    std::vector<std::string> notes() const;

  private:
    std::map<std::string, std::vector<std::string>> threads_;  ///< by what they did where
};

}  // namespace holos::archive
