// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <unordered_map>
#include <vector>

#include "analyzer/trace/classification.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::timeline {

/// Finds where a location has many calls in which nothing but time passes (`trace::QuietCalls`). It is told
/// the events in their order, with how many there are up to each; an event that it is not told of ends what
/// is quiet.
class QuietFinder {
  public:
    /// In traces that tell from where regions were called nothing is quiet.
    QuietFinder(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes);

    void enter(std::uint64_t events, trace::Ticks time, trace::RegionId region);
    void leave(std::uint64_t events, trace::Ticks time, trace::RegionId region);
    /// An event of another kind.
    void other(trace::Ticks time);

    std::vector<trace::QuietCalls> take() { return std::move(found_); }

  private:
    /// Shorter ones are read faster than they are passed over.
    static constexpr std::uint64_t kFewest = 256;
    /// Longer ones are cut, so that little of them has to be read for a short range.
    static constexpr std::uint64_t kMost = 4096;
    static constexpr std::size_t kMostLeft = 1024;
    static constexpr std::size_t kDeepest = 64;  ///< of call paths that are told

    /// Whether the event belongs to what is quiet now; begins it where nothing is.
    bool goesOn(std::uint64_t events, trace::RegionId region);
    /// Of the region in the innermost one; whether that is the first time.
    bool push(trace::RegionId region);
    void pop();
    void see(std::uint64_t events, trace::Ticks time);
    void end();

    std::vector<bool> isPlain_;                               ///< by region
    std::unordered_map<std::uint64_t, std::uint32_t> paths_;  ///< by the path around it and its region
    std::vector<std::uint32_t> stack_{0};                     ///< the paths of the calls that are open
    bool isQuiet_ = false;
    trace::QuietCalls now_;
    trace::Ticks latest_ = std::numeric_limits<trace::Ticks>::min();
    std::vector<trace::QuietCalls> found_;
};

}  // namespace holos::analyzer::timeline
