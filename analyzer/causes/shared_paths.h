// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/profiles.h"

namespace holos::analyzer::causes {

/// What samples say of the time between events (`replay::TimeSharing`), by call path. Causes are found by
/// what is known exactly, and then handed on to the functions that samples met: the sums stay the same.
///
///     solve of location 0   ██ smooth ██│██ norm ███████│      delay costs of solve: norm has them, because
///     solve of the others   ██ smooth ██│██ norm █│            only there location 0 exceeds the average
/// Thread safety: safe to read.
class SharedPaths {
  public:
    /// `times`: what is booked, by location and call path.
    SharedPaths(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                const PathProfile& times);

    /// True where nothing was shared.
    bool empty(std::size_t location) const { return parts_[location].empty(); }
    /// Times of any kind, by call path, are shared as the location's time is.
    void share(std::size_t location, std::vector<Ticks>& times) const;
    /// Delay costs go to the functions in which the location takes more time than the average of those that
    /// share the same call path; where there is none, they are shared as the time is.
    void share(std::size_t location, LocationCauses& causes) const;

  private:
    struct Part {
        std::uint32_t from;
        std::uint32_t to;
        Ticks ticks;
        friend auto operator<=>(const Part&, const Part&) = default;
    };
    using Parts = std::span<const Part>;  ///< of one call path, together what is booked there

    static std::uint64_t key(const Part& part) { return std::uint64_t{part.from} << 32U | part.to; }
    Parts partsFrom(std::size_t location, std::uint32_t path) const;
    /// How much of a call path's costs each part is to blame for; the sum is 1.
    std::vector<double> blame(Parts parts) const;

    std::vector<std::vector<Part>> parts_;  ///< by location; ascending, and what stays is a part, too
    std::unordered_map<std::uint64_t, Ticks> sums_;               ///< over all locations
    std::unordered_map<std::uint32_t, std::uint32_t> locations_;  ///< by call path: how many share it
};

}  // namespace holos::analyzer::causes
