// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"

namespace holos::algebra {

/// Of something: this part decides what the whole is called.
inline constexpr double kMainPart = 0.5;

/// A call path in which some come late for others, with what it calls, among `all` such places: it may call
/// other ones, of which other problems tell.
class LatePlace {
  public:
    /// Everything must outlive it; `place` is one of `all`.
    LatePlace(const Measures& measures, const Delays& delays, const Place& place, std::span<const Place> all);

    const Measures& measures() const { return measures_; }
    const Delays& delays() const { return delays_; }
    const CallTree& tree() const { return measures_.experiment().callTree; }
    const Place& place() const { return place_; }
    CallPathId path() const { return place_.path; }
    /// Seconds that others wait because of it.
    double cost() const { return place_.value; }

    /// What the place consists of, and what it calls.
    std::vector<CallPathId> paths() const;
    /// Of values by call path alone.
    double sumOf(const std::vector<double>& values) const;
    /// By LocationId, with what is called: of this place where it is the one's path, of another call path, or
    /// of the whole program. Who lets others have the processor does not sleep.
    std::vector<double> times(const MetricNames& metrics, std::optional<CallPathId> path) const;

    /// By LocationId: how long others wait for each thread in these call paths, by these metrics of a rule's
    /// delays. Waiting that is told elsewhere, such as for threads that had no processor, is no part of the
    /// place's cost, nor of this.
    std::vector<double> blamed(std::size_t rule, const MetricNames& delays,
                               const std::vector<CallPathId>& paths) const;

    /// Within a place of its own that this one calls: of that another problem tells.
    bool isOfAnother(CallPathId path) const;
    /// By LocationId: in places of their own within `outer`, of which other problems tell.
    std::vector<double> toldElsewhere(const MetricNames& metrics, CallPathId outer) const;

    /// Most of what others wait for is in tasks, sections, or constructs that one thread of a team executes:
    /// which thread that is is chance.
    bool isOfAnyThread() const;

  private:
    std::vector<CallPathId> withoutNested() const;
    bool isPartOfThis(const Place& other) const;
    bool isOutermostWithin(const Place& place, CallPathId outer) const;

    const Measures& measures_;
    const Delays& delays_;
    const Place& place_;
    std::span<const Place> all_;
};

}  // namespace holos::algebra
