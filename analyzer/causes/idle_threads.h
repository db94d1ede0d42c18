// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// Who belongs to the teams of a master, and has nothing to do without it.
/// Thread safety: safe to read.
class Crews {
  public:
    explicit Crews(const replay::ReplayedTrace& trace);

    /// How many other threads a process's first one leaves idle. Threads that the program starts itself, and
    /// their teams, have work of their own.
    std::uint32_t others(const trace::Process& process) const;

  private:
    std::uint32_t followers(trace::LocationId master) const;

    const trace::Definitions& definitions_;
    std::vector<char> isMade_;                            ///< by location: by the program
    std::vector<char> isReserved_;                        ///< a parallel region may have it
    std::vector<std::vector<const trace::Comm*>> ledBy_;  ///< by location: its teams
};

/// While a master works between two parallel regions, all other threads of its teams are idle: finds its
/// serial sections.
void findIdleThreads(const replay::ReplayedTrace& trace, const Crews& crews, const Points& points,
                     std::uint32_t location, LocationBlames& blames);

}  // namespace holos::analyzer::causes
