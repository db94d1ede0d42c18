// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timeline/time_grid.h"

namespace holos::analyzer::timeline {

/// How much time something took in each bin of a grid, where it took any.
class TimeSums {
  public:
    struct Bin {
        std::uint32_t bin = 0;
        Ticks ticks = 0;
        friend bool operator==(const Bin&, const Bin&) = default;
    };

    /// From `begin` to `end`, as far as that lies in the run.
    void add(const TimeGrid& grid, Ticks begin, Ticks end);
    /// Adds ticks, spread evenly from `begin` to `end`; what lies outside of the run counts at its edge.
    void addSpread(const TimeGrid& grid, Ticks begin, Ticks end, Ticks ticks);
    /// Once, after everything was added.
    void settle();
    void add(const TimeSums& others);

    /// In the order of time.
    const std::vector<Bin>& bins() const { return bins_; }
    bool empty() const { return bins_.empty(); }

  private:
    std::vector<Bin> bins_;
};

/// The bytes of a row (`format.h`). Its bins are those of level `finest` of the grid; finer levels are
/// empty.
std::string packSums(const TimeGrid& grid, const TimeSums& sums, unsigned finest = 0);
/// All bins of a level; of one that is too fine for the row, by their parts of wider bins. Throws
/// `holos::Error` without a place when the bytes are damaged.
std::vector<Ticks> unpackSums(std::string_view bytes, const TimeGrid& grid, unsigned level);

}  // namespace holos::analyzer::timeline
