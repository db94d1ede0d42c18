// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

/// An acquisition or a release.
struct LockUse {
    std::uint32_t lock = 0;
    std::uint32_t order = 0;
    bool isHeld = false;  ///< false: nobody has it, as a semaphore or the signal of a condition
    bool isAcquired = false;
};

/// An event whose call path the next one tells, or of which that tells how long its thread had no processor
/// before it.
struct HeldEvent {
    enum class Kind : std::uint8_t { Counters, Fork, TeamBegin, Lock };
    Kind kind = Kind::Counters;
    std::uint64_t event = 0;
    Ticks time = 0;
    std::uint32_t what = 0;                                  ///< the class of the counters, or the team
    std::uint32_t count = 0;                                 ///< of counters
    std::optional<trace::ContextId> context = std::nullopt;  ///< of a sample
    TimeOff off = {};                                        ///< since the event before
    LockUse use = {};
};

/// Readings of counters, forks and uses of locks that were held back, in their order.
class HeldEvents {
  public:
    /// Without an end to its regions a location does not go on for ever.
    bool isFull() const { return events_.size() >= kMost; }
    bool empty() const { return events_.empty(); }
    bool hasFork() const { return hasFork_; }
    bool hasOnlyLocks() const {
        return std::ranges::all_of(events_, [](auto& one) { return one.kind == HeldEvent::Kind::Lock; });
    }

    /// An event at `time` says how long the thread had no processor before it. What is longer than the time
    /// since the last of these was before that one, as not every event can say so. Returns the rest.
    TimeOff shareOff(TimeOff off, Ticks time) {
        Ticks later = time;
        TimeOff* rest = &off;
        for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
            if (event->context) continue;  // a sample does not end the time since the event before it
            const Ticks before = rest->without - std::max<Ticks>(0, later - event->time);
            const bool tellsItself =
                event->kind == HeldEvent::Kind::Fork || event->kind == HeldEvent::Kind::TeamBegin;
            if (before <= 0 || tellsItself) break;
            rest->without -= before;
            event->off.without += before;
            rest = &event->off;
            later = event->time;
        }
        return off;
    }

    void add(const HeldEvent& event, const CounterValue* values = nullptr) {
        events_.push_back(event);
        values_.insert(values_.end(), values, values + event.count);
        hasFork_ = hasFork_ || event.kind == HeldEvent::Kind::Fork;
    }

    /// Calls `use` with each and its values, and forgets them.
    template <class Use>
    void take(Use use) {
        std::vector<HeldEvent> events = std::exchange(events_, {});
        std::vector<CounterValue> values = std::exchange(values_, {});
        hasFork_ = false;
        const CounterValue* next = values.data();
        for (const HeldEvent& event : events) {
            use(event, next);
            next += event.count;
        }
        if (!events_.empty()) return;
        events.clear();
        values.clear();
        events_ = std::move(events);  // with their room
        values_ = std::move(values);
    }

  private:
    static constexpr std::size_t kMost = 1000;
    std::vector<HeldEvent> events_;
    std::vector<CounterValue> values_;
    bool hasFork_ = false;
};

}  // namespace holos::analyzer::replay
