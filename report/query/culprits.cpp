// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/culprits.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "analyzer/patterns/list.h"

namespace holos::query {

namespace {

using analyzer::replay::CallListener;
using analyzer::replay::Frame;
using analyzer::replay::LeftCall;
using analyzer::replay::NodeId;
using analyzer::trace::LocationId;
using analyzer::trace::Ticks;

/// A wait, as its culprit has it.
struct Interval {
    Ticks begin = 0;
    Ticks end = 0;
    LocationId waiter;
    std::size_t number = 0;  ///< of the wait
};

/// Goes along the calls of a culprit, and adds up what it did in each of the intervals.
class Meanwhile final : public CallListener {
  public:
    /// The intervals by begin. `tell` takes each with what was done in it.
    template <class Tell>
    Meanwhile(const std::vector<Interval>& intervals, Tell tell)
        : intervals_(intervals), tell_(std::move(tell)) {}

    /// From the end of what is known on, time belongs to the frame that was entered last.
    void left(const LeftCall& call) override {
        const Frame* inner = nullptr;
        for (const Frame& frame : call.around) {
            if (inner != nullptr) pass(inner->node, frame.enter);
            inner = &frame;
        }
        if (inner != nullptr) pass(inner->node, call.enter);
        pass(call.node, call.leave);
    }
    /// Behind the last call.
    void end() {
        for (const Open& open : open_) settle(open);
        open_.clear();
    }

  private:
    struct Open {
        const Interval* interval;
        std::map<NodeId, Ticks> spent;
    };

    void pass(NodeId node, Ticks until) {
        if (until <= now_) return;
        for (; next_ < intervals_.size() && intervals_[next_].begin < until; ++next_)
            open_.push_back({&intervals_[next_], {}});
        for (Open& open : open_) {
            const Ticks spent = std::min(until, open.interval->end) - std::max(now_, open.interval->begin);
            if (spent > 0) open.spent[node] += spent;
        }
        now_ = until;
        std::erase_if(open_, [this](const Open& open) {
            if (open.interval->end > now_) return false;
            settle(open);
            return true;
        });
    }
    /// Of equal ones the first in the tree.
    void settle(const Open& open) const {
        const auto most =
            std::ranges::max_element(open.spent, {}, [](const auto& entry) { return entry.second; });
        if (most != open.spent.end()) tell_(*open.interval, Activity{most->first, most->second});
    }

    const std::vector<Interval>& intervals_;
    std::function<void(const Interval&, const Activity&)> tell_;
    std::size_t next_ = 0;
    std::vector<Open> open_;
    Ticks now_ = std::numeric_limits<Ticks>::min();
};

}  // namespace

Culprits::Culprits(analyzer::RunRecords& records) {
    const analyzer::patterns::JudgedTrace run = records.judged();
    const std::size_t count = records.definitions().locations.size();
    byWaiter_.resize(count);
    std::vector<std::vector<Interval>> ofCulprit(count);
    for (std::size_t at = 0; at < count; ++at) {
        const LocationId waiter(at);
        analyzer::patterns::visitAllWaits(run, waiter, [&](const analyzer::patterns::SingleWait& wait) {
            if (wait.wait <= 0) return;
            if (wait.awaited && *wait.awaited != waiter)
                ofCulprit[wait.awaited->index()].push_back(
                    {wait.begin, wait.begin + wait.wait, waiter, byWaiter_[at].size()});
            byWaiter_[at].emplace_back();
        });
    }
    for (std::size_t culprit = 0; culprit < count; ++culprit) {
        std::vector<Interval>& intervals = ofCulprit[culprit];
        if (intervals.empty()) continue;
        std::ranges::stable_sort(intervals, {}, &Interval::begin);
        Meanwhile meanwhile(intervals, [this](const Interval& interval, const Activity& activity) {
            byWaiter_[interval.waiter.index()][interval.number] = activity;
        });
        records.readCalls(LocationId(culprit), meanwhile, true);
        meanwhile.end();
        intervals = {};
    }
}

}  // namespace holos::query
