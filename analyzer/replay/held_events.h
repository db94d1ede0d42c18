// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/counter_recorder.h"

namespace holos::analyzer::replay {

/// An event whose call path the next one tells.
struct HeldEvent {
    enum class Kind : std::uint8_t { Counters, Fork, TeamBegin };
    Kind kind = Kind::Counters;
    std::uint64_t event = 0;
    Ticks time = 0;
    std::uint32_t what = 0;                                  ///< the class of the counters, or the team
    std::uint32_t count = 0;                                 ///< of counters
    std::optional<trace::ContextId> context = std::nullopt;  ///< of a sample
    TimeOff off = {};                                        ///< since the event before
};

/// Readings of counters and forks that were held back, in their order.
class HeldEvents {
  public:
    /// Without an end to its regions a location does not go on for ever.
    bool isFull() const { return events_.size() >= kMost; }
    bool empty() const { return events_.empty(); }
    bool hasFork() const { return hasFork_; }

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
