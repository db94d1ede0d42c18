// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/late_place.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Others do less than this part of what one does: it is alone.
inline constexpr double kAloneBelow = 0.01;
/// Late ones that work this many times as long as others would be waited for anyway.
inline constexpr double kUnevenFrom = 1.2;

/// What those who are late do, against the others.
struct LateWork {
    double theirs = 0;   ///< mean of those who are late
    double others = 0;   ///< that of the others
    double typical = 0;  ///< what half of the others exceed: one that works elsewhere does not change it
};
LateWork lateWorkOf(const Spread& spread, const std::vector<Member>& members);

/// Who is late in a place: processes, or threads, are compared by what they do there.
class LateWorkers {
  public:
    /// `place` must outlive it. `waitsOfThreads`: where threads are compared, how they wait for each other.
    /// `areAwake`: sleep is no work that is compared.
    LateWorkers(const LatePlace& place, const WaitRule* waitsOfThreads, bool areAwake);

    const LatePlace& place() const { return place_; }
    const Measures& measures() const { return place_.measures(); }
    bool areThreads() const { return waitsOfThreads_ != nullptr; }
    bool areAwake() const { return areAwake_; }
    /// What is compared.
    const MetricNames& work() const;
    /// The call path in which it is compared, at first the place. Without causes it is not known where the
    /// work is done.
    std::optional<CallPathId> path() const;

    /// Processes, or threads that wait for others or are waited for, with these values by LocationId.
    std::vector<Member> members(const std::vector<double>& perLocation) const;
    std::vector<Member> workersAt(std::optional<CallPathId> path) const;
    std::vector<Member> workers() const { return members(times(work())); }
    /// What each of the workers does in the whole run: of a process the thread that is compared.
    std::vector<Member> workersInAll() const;
    /// Of a process the thread that is compared.
    LocationId leading(const Member& worker) const;
    /// By LocationId, where they are compared.
    std::vector<double> times(const MetricNames& metrics) const;
    /// Others are late in places of their own that this one calls, of which other problems tell: what is done
    /// there is not compared.
    bool isWithoutOthers() const { return isWithoutOthers_ && compared_ == place_.path(); }

    /// Who is late among the workers. One who takes longer makes each of the others wait for that. Where they
    /// wait much longer than that, all are late in turn: it only looks as if some were late on the whole.
    Spread spreadOfLate(const std::vector<Member>& workers);
    /// After `spreadOfLate`: who takes clearly longer in all, although now one is late, now another.
    const std::optional<Spread>& uneven() const { return uneven_; }
    /// Who takes how long there.
    std::string whoText(const Spread& spread, const std::vector<Member>& workers) const;

    /// Each of those who are late there works more than most of the others in the whole run, too, by most of
    /// that.
    bool workMoreInAll(const Spread& spread) const;
    /// Who is late there does not work more in the whole run than most of the others, who do nothing there,
    /// nor wait for most of that: these work elsewhere meanwhile.
    bool workElsewhere(const Spread& spread) const;
    /// Moves the comparison to the caller in which others work, too.
    void compareInCaller(const Spread& spread);

    /// Who is late does not work more than most of the others, who have done their part at another time; and
    /// each waits for one before.
    bool areInTurn(const Spread& spread) const;

    /// Who they are, what counters say of them, and what shows that they are late.
    void describe(const Spread& spread, const std::vector<Member>& workers, Problem& problem) const;
    /// A process with fewer threads than the others takes longer for as much work.
    void tellOfFewerThreads(const Spread& spread, const std::vector<Member>& workers, Problem& problem) const;

  private:
    bool areOthersLateWithin() const;
    std::vector<double> timesWithoutOthers(const MetricNames& metrics) const;
    double chainedOfAll() const;
    /// Others wait for those who take longer there, or for the half of a gradient that does, nearly always.
    /// Threads that take what is left to do, as in a dynamic loop, may have more by chance the higher their
    /// number is, but each of them is the last one now and then.
    bool areAwaited(const Spread& spread) const;

    const LatePlace& place_;
    const WaitRule* waitsOfThreads_;
    bool areAwake_;
    bool areOfAnyThread_;  ///< which of them does what is compared is chance
    CallPathId compared_;
    bool isWithoutOthers_;
    std::optional<Spread> uneven_;
};

}  // namespace holos::algebra
