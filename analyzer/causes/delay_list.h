// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::causes {

/// The delays of one location's blames, by call path: those of one point in a slice, blame by blame.
/// Thread safety: safe to read.
class DelayList {
  public:
    explicit DelayList(Memory memory) : slices_(memory) {}

    /// One delay of the present blame.
    void add(std::uint32_t path, trace::Ticks ticks) { point_.push_back({path + 1, ticks}); }
    /// Between two blames of a point.
    void nextBlame() { point_.push_back({kNextBlame, 0}); }
    void endPoint() {
        slices_.append(point_);
        point_.clear();
    }

    /// How many points there are.
    std::uint32_t size() const { return slices_.size(); }

    /// Reads one point after the other.
    class Reader {
      public:
        explicit Reader(const DelayList& list, std::uint32_t first = 0) : slices_(list.slices_, first) {}

        /// Calls `visit` with which blame of the next point it is, call path and ticks, for each delay.
        template <class Visit>
        void visit(Visit&& visit) {
            std::size_t blame = 0;
            slices_.visit([&](std::uint32_t path, trace::Ticks ticks) {
                if (path == kNextBlame)
                    ++blame;
                else
                    visit(blame, path - 1, ticks);
            });
        }

      private:
        replay::PackedSlices::Reader slices_;
    };

  private:
    static constexpr std::uint32_t kNextBlame = 0;  ///< in place of a call path, which count from 1

    replay::PackedSlices slices_;
    std::vector<replay::PathTicks> point_;  ///< of the present point
};

}  // namespace holos::analyzer::causes
