// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::patterns {

/// How long calls of MPI had no processor, although they could run.
class StarvedCalls {
  public:
    explicit StarvedCalls(const replay::ReplayedTrace& trace) : byLocation_(trace.locations.size()) {
        for (std::size_t location = 0; location < byLocation_.size(); ++location)
            for (const replay::CallShortage& shortage : trace.locations[location].messages.shortages)
                if (shortage.passed > 0) byLocation_[location][shortage.call] += shortage.passed;
    }
    /// By the call's position among those of its location.
    trace::Ticks lackOf(std::size_t location, std::uint32_t call) const {
        const auto known = byLocation_[location].find(call);
        return known != byLocation_[location].end() ? known->second : 0;
    }

  private:
    std::vector<std::unordered_map<std::uint32_t, trace::Ticks>> byLocation_;
};

}  // namespace holos::analyzer::patterns
