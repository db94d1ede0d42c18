// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/trace/ids.h"

namespace holos::analyzer::timeline {

using trace::Ticks;

/// The run in equal parts, its bins: level 0 has 2^(levels − 1) of them, each further level half as many, the
/// last one a single bin.
/// Thread safety: safe to read.
class TimeGrid {
  public:
    static constexpr unsigned kMostLevels = 20;

    TimeGrid() = default;
    TimeGrid(Ticks length, unsigned levels) : length_(std::max<Ticks>(length, 1)), levels_(levels) {}

    Ticks length() const { return length_; }
    unsigned levels() const { return levels_; }
    std::size_t bins(unsigned level) const { return std::size_t{1} << (levels_ - 1 - level); }
    /// Of all levels up to this one, without it.
    std::size_t binsBefore(unsigned level) const { return 2 * bins(0) - 2 * bins(level); }

    /// Where a bin begins; of the number of bins: where the last one ends.
    Ticks edge(unsigned level, std::size_t bin) const {
        const auto part = static_cast<Wide>(bin) << level;
        return static_cast<Ticks>(part * static_cast<Wide>(length_) / static_cast<Wide>(bins(0)));
    }
    Ticks width(unsigned level, std::size_t bin) const { return edge(level, bin + 1) - edge(level, bin); }
    /// The bin that a time lies in; the first or the last one outside of the run.
    std::size_t binAt(unsigned level, Ticks time) const {
        time = std::clamp<Ticks>(time, 0, length_ - 1);
        auto bin = static_cast<std::size_t>(static_cast<Wide>(time) * static_cast<Wide>(bins(level)) /
                                            static_cast<Wide>(length_));
        while (bin + 1 < bins(level) && edge(level, bin + 1) <= time) ++bin;
        while (bin > 0 && edge(level, bin) > time) --bin;
        return bin;
    }
    /// The coarsest level that has at least so many bins in a part of the run; level 0 where none has.
    unsigned levelFor(Ticks from, Ticks to, double atLeast) const {
        const double inRun =
            atLeast * static_cast<double>(length_) / static_cast<double>(std::max<Ticks>(to - from, 1));
        unsigned level = levels_ - 1;
        while (level > 0 && static_cast<double>(bins(level)) < inRun) --level;
        return level;
    }

  private:
    using Wide = __int128;

    Ticks length_ = 1;
    unsigned levels_ = 1;
};

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
