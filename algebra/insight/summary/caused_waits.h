// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/late_place.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// The waiting of others that a place causes: of which kind it is, where and when.
class CausedWaits {
  public:
    /// `place` must outlive it.
    explicit CausedWaits(const LatePlace& place);

    /// Of most of the waiting for the place itself, where there is any: other waiting is for that. Where
    /// others wait for a thread before it ends, too, for at least half as long, its end is only the last of
    /// these waits.
    const WaitRule& rule() const { return waitRules()[rule_]; }
    std::size_t position() const { return rule_; }
    /// Seconds of that kind.
    double ofRule() const { return shares_[rule_]; }
    /// Whether it is a problem of its own that others cause such waits, and this one.
    bool isProblem(const char* kind) const;

    /// Whether threads wait like that; or other threads than the first ones of their processes, mostly, where
    /// it is usually processes: what the first ones do tells nothing of these.
    bool areOfThreads() const;
    /// But for those who are late, mostly threads wait for messages that their processes have started beside
    /// the first ones: such a thread may serve requests, and has to wait for them.
    bool mayBeForRequests(const std::vector<LocationId>& late) const;
    /// How many threads, but for those who are late, wait for at least so many seconds, in the ways in which
    /// others wait because of the place.
    std::size_t waitersBeside(const std::vector<LocationId>& late, double least) const;
    /// Most of the waiting at conditions, and it is not recorded which of it a timeout ended.
    bool haveTimeouts() const;

    /// How many times as long waits are at the end as at the start, if the place causes most of them and no
    /// lack of processors disturbs that.
    std::optional<double> growth(bool isStarved) const;
    /// In which part of the run the waiting is, where it is in one; else empty.
    std::string phaseText() const;
    /// Where the others wait; as evidence, too.
    std::string text(Problem& problem) const;

  private:
    double partOfRule() const;
    bool isMostAt(CallPathId path, std::size_t rule) const;
    std::string otherKindText() const;
    const Measures& measures() const { return place_.measures(); }

    const LatePlace& place_;
    std::vector<double> shares_;  ///< seconds by rule
    std::size_t rule_ = 0;
};

/// How others wait most because of a place.
const WaitRule& mostlyWaitedFor(const Measures& measures, const Delays& delays, const Place& place);

/// The first thread comes to a barrier by `main`, others by what starts threads, and a part of their work may
/// be known of their caller alone: such places are one, that of the largest value.
void joinMeetings(const Measures& measures, const Delays& delays, std::vector<Place>& places);

}  // namespace holos::algebra
