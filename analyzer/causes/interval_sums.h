// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "analyzer/causes/points.h"
#include "analyzer/causes/profiles.h"

namespace holos::analyzer::causes {

/// How long a location was in a call path between any two of its slices, and how long it waited there between
/// any two of its points, without reading what lies between them.
/// Thread safety: safe to read.
class IntervalSums {
  public:
    IntervalSums(const Profiles& profiles, const PointList& points, std::uint32_t location);

    Ticks time(std::uint32_t path, std::uint32_t firstSlice, std::uint32_t endSlice) const {
        return times_.between(path, firstSlice, endSlice);
    }
    /// At points `first` ≤ point < `end`.
    Ticks waits(std::uint32_t path, std::uint32_t first, std::uint32_t end) const {
        return waits_.between(path, first, end);
    }

  private:
    /// Sums up to each position at which there is something, by call path.
    class Sums {
      public:
        void add(std::uint32_t path, std::uint32_t position, Ticks ticks);
        Ticks between(std::uint32_t path, std::uint32_t first, std::uint32_t end) const;

      private:
        struct Sum {
            std::uint32_t position;
            Ticks with;  ///< all up to there
        };
        static Ticks before(const std::vector<Sum>& sums, std::uint32_t position);
        std::unordered_map<std::uint32_t, std::vector<Sum>> byPath_;
    };

    Sums times_;  ///< by slice
    Sums waits_;  ///< by point
};

/// The sums of locations that wait for very many threads, one after the other, such as one that starts
/// thousands and joins them: what it did from the start of each to its end are as many intervals, which all
/// have nearly everything in common. By location; null for others.
using ManyIntervals = std::vector<std::unique_ptr<const IntervalSums>>;

}  // namespace holos::analyzer::causes
