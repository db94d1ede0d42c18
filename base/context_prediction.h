// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace holos {

/// Foretells from which calling context a region is entered, so that traces need not say it: programs enter
/// a region from the same few places in the same order, again and again.
///
///     entered from     a  b  a  c  a  b  a  c  a
///     foretold         -  a  b  b  c  c  b  b  c   what came next the last time
///
/// Expected is the context that came next the last time that the region had been entered from the context
/// from which it was entered last; that last one itself, where nothing has come next yet. For the events of
/// one location; writer and reader tell it each enter in the order of the trace.
class ContextPrediction {
  public:
    /// The calls are not known. At first that is expected.
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    /// The first enter after so many pairs of a region and a context are known makes all of them unknown,
    /// before it becomes known itself.
    static constexpr std::size_t kMostPairs = std::size_t{1} << 16U;

    std::uint32_t expected(std::uint32_t region) const;
    /// The region was entered, and from there.
    void follow(std::uint32_t region, std::uint32_t context);
    /// The region was entered, and never from calls that are known: they are expected to be unknown again,
    /// and to follow that changes nothing. Quick; false also for a region of which that would have to be
    /// looked up.
    bool isNeverKnown(std::uint32_t region) const {
        return region < neverKnown_.size() && neverKnown_[region] != 0 && pairs_.size() < kMostPairs;
    }

  private:
    static constexpr std::uint32_t kLookedUp = 1U << 16U;  ///< regions from here on

    using Index = std::uint32_t;
    struct Pair {
        std::uint32_t context;
        Index next;  ///< the pair of the same region that followed the last time
    };
    Index pairOf(std::uint32_t region, std::uint32_t context);
    void noteKnown(std::uint32_t region, bool isFirst, std::uint32_t context);
    void forget();

    std::vector<Pair> pairs_;
    std::unordered_map<std::uint64_t, Index> indexes_;  ///< by region and context
    std::unordered_map<std::uint32_t, Index> last_;     ///< by region
    std::vector<std::uint8_t> neverKnown_;              ///< by region
};

}  // namespace holos
