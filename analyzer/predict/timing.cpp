// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/timing.h"

#include <cmath>

namespace holos::analyzer::predict {
namespace {

class Retiming {
  public:
    Retiming(const RunGraph& graph, const Network& recorded, const Changes& changes, Wanted wanted)
        : graph_(graph),
          recorded_(recorded),
          changes_(changes),
          wanted_(wanted),
          awaited_(graph.locations.size()),
          waiters_(graph.locations.size(), kNone),
          nextWaiter_(graph.locations.size(), kNone),
          meetings_(graph.meetings.size()) {
        if (wanted == Wanted::Times) result_.shifts.resize(graph.locations.size());
    }

    Timing run() {
        for (std::uint32_t i = 0; i < graph_.locations.size(); ++i) {
            places_.emplace_back(graph_.locations[i].marks);
            if (i < changes_.saved.size()) places_.back().saved = PackedTicks::Reader(changes_.saved[i]);
            awaited_[i].reserve(graph_.locations[i].awaited);
            ready_.push_back(i);
        }
        advanceAll();
        for (std::uint32_t stuck = firstStuck(); stuck != kNone; stuck = firstStuck()) {
            ++result_.forced;
            take(stuck);
            wake(waiters_[stuck]);
            ready_.push_back(stuck);
            advanceAll();
        }
        bool isAny = false;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].isOfMpi) result_.ofMpi += graph_.locations[i].last - graph_.locations[i].first;
        for (const Place& place : places_) {
            result_.fingerprint = mixed(result_.fingerprint, place.fingerprint);
            if (!place.isAny) continue;
            result_.begin = isAny ? std::min(result_.begin, place.first) : place.first;
            result_.end = isAny ? std::max(result_.end, place.newTime) : place.newTime;
            isAny = true;
        }
        return std::move(result_);
    }

  private:
    struct Coming {
        Ticks last = std::numeric_limits<Ticks>::min();
        std::uint32_t arrivals = 0;
        std::uint32_t waiters = kNone;
    };
    /// How far a location has come.
    struct Place {
        explicit Place(const PackedMarks& marks) : mark(marks) {}

        PackedMarks::Reader mark;  ///< the one to take
        PackedTicks::Reader saved;
        std::uint64_t fingerprint = 0;
        Ticks first = 0;    ///< when its first mark comes now
        Ticks time = 0;     ///< of the mark before: recorded,
        Ticks tasks = 0;    ///< with its tasks,
        Ticks newTime = 0;  ///< and as it comes now
        Ticks newTasks = 0;
        bool isAny = false;    ///< there is a mark before
        bool isOfMpi = false;  ///< it called MPI
    };

    bool isDone(std::uint32_t location) const { return places_[location].mark.isAtEnd(); }

    void advanceAll() {
        while (!ready_.empty()) {
            const std::uint32_t location = ready_.back();
            ready_.pop_back();
            bool moved = false;
            while (!isDone(location) && canTake(location)) {
                take(location);
                moved = true;
            }
            if (moved) wake(waiters_[location]);
        }
    }

    /// A location that waits for another one stands in the list of that, or of the meeting.
    void wake(std::uint32_t& list) {
        for (std::uint32_t location = list; location != kNone;) {
            ready_.push_back(location);
            location = std::exchange(nextWaiter_[location], kNone);
        }
        list = kNone;
    }
    void await(std::uint32_t location, std::uint32_t& list) {
        nextWaiter_[location] = std::exchange(list, location);
    }

    /// Whether all has come that the location depends on at its place; otherwise it waits for that.
    bool canTake(std::uint32_t location) {
        for (const Dependency& dependency : places_[location].mark->dependencies) {
            if (hasCome(dependency) || !isIn(dependency, network())) continue;
            await(location, dependency.kind == Dependency::Kind::Meeting
                                ? meetings_[dependency.position].waiters
                                : waiters_[dependency.location]);
            return false;
        }
        return true;
    }

    bool hasCome(const Dependency& dependency) const {
        return dependency.kind == Dependency::Kind::Meeting
                   ? meetings_[dependency.position].arrivals == graph_.meetings[dependency.position].arrivals
                   : awaited_[dependency.location].size() > dependency.position;
    }

    /// Only damaged traces, and equal times, make locations wait for each other.
    std::uint32_t firstStuck() const {
        std::uint32_t first = kNone;
        for (std::uint32_t i = 0; i < places_.size(); ++i)
            if (!isDone(i) && (first == kNone || places_[i].mark->time < places_[first].mark->time))
                first = i;
        return first;
    }

    void take(std::uint32_t location) {
        Place& place = places_[location];
        const Mark& mark = *place.mark;
        const Ticks saved = place.saved.next();
        const Ticks time = mark.piece == Piece::Work ? afterWork(place, saved) : afterWait(location);
        if (mark.isAwaited) awaited_[location].push_back(time);
        if (wanted_ == Wanted::Times)
            result_.shifts[location].append((time - mark.time) - (place.newTime - place.time));
        if (!place.isAny) place.first = time;
        place.fingerprint = mixed(place.fingerprint, static_cast<std::uint64_t>(time));
        place.time = mark.time;
        place.tasks = mark.tasks;
        place.newTime = time;
        place.newTasks = mark.tasks;
        if (mark.tasks != 0 && location < changes_.savedTasks.size())
            place.newTasks -= changes_.savedTasks[location][place.mark.position()];
        place.isAny = true;
        for (const std::uint32_t meeting : mark.arrivals) arrive(meeting, time + place.newTasks);
        place.mark.next();
    }

    bool isRemoved(std::uint32_t location) const {
        return location < changes_.removed.size() && !changes_.removed[location].empty() &&
               changes_.removed[location][places_[location].mark.position()];
    }

    static Ticks afterWork(const Place& place, Ticks saved) {
        if (!place.isAny) return place.mark->time;
        return place.newTime + place.mark->time - place.time - saved;
    }

    /// A thread that others start does so when they do. In a circle, what has not come counts as if it had
    /// not been waited for.
    Ticks afterWait(std::uint32_t location) {
        Place& place = places_[location];
        const Mark& mark = *place.mark;
        if (!place.isAny && mark.dependencies.empty()) return mark.time;
        constexpr Ticks kNever = std::numeric_limits<Ticks>::min() / 2;
        Ticks before = kNever;
        Ticks base = kNever;
        if (place.isAny) {
            before = place.time + place.tasks;
            base = place.newTime + place.newTasks;
        }
        if (isRemoved(location)) return base;
        Ticks sent = before;  // when all was on its way
        for (const Dependency& dependency : mark.dependencies) {
            const bool counts = isIn(dependency, network());
            if (counts && !hasCome(dependency)) continue;
            if (isIn(dependency, recorded_)) {
                before = std::max(before, mark.time - dependency.slack);
                sent = std::max(sent, mark.time - dependency.slack - dependency.travel.lag);
            }
            if (counts && !isFreed(dependency)) base = std::max(base, timeOf(dependency) + lagOf(dependency));
        }
        const Ticks lacking = graph_.locations[location].lacking[place.mark.position()];
        if (mark.piece == Piece::Message || mark.piece == Piece::Collective) {
            place.isOfMpi = true;
            result_.ownInMpi += std::max<Ticks>(0, mark.time - before);
            result_.lackingInMpi += std::clamp<Ticks>(lacking, 0, std::max<Ticks>(0, mark.time - before));
        }
        return base + ownTime(mark, mark.time - before, std::min(lacking, mark.time - sent));
    }

    const Network& network() const { return changes_.network ? *changes_.network : recorded_; }
    static bool isIn(const Dependency& dependency, const Network& network) {
        if (dependency.kind == Dependency::Kind::Progress) return !network.isIdeal;
        return dependency.kind != Dependency::Kind::Rendezvous ||
               (network.isRendezvous(dependency.travel.bytes) && !network.isIdeal);
    }
    bool isFreed(const Dependency& dependency) const {
        return changes_.locksAreFree && dependency.kind == Dependency::Kind::Lock;
    }
    Ticks timeOf(const Dependency& dependency) const {
        return dependency.kind == Dependency::Kind::Meeting
                   ? meetings_[dependency.position].last
                   : awaited_[dependency.location][dependency.position];
    }
    Ticks lagOf(const Dependency& dependency) const {
        const Travel& travel = dependency.travel;
        const bool isOfNetwork = dependency.kind == Dependency::Kind::Message ||
                                 dependency.kind == Dependency::Kind::Rendezvous ||
                                 dependency.kind == Dependency::Kind::Progress;
        if (!changes_.network || !isOfNetwork) return travel.lag;
        if (network().isIdeal) return 0;
        const double more = network().transfer(travel.bytes) - recorded_.transfer(travel.bytes);
        return std::max<Ticks>(0, travel.lag + static_cast<Ticks>(std::llround(more)));
    }
    /// What the recorded wait took after all had come. No network gives a thread the processor that it lacked
    /// since all was on its way.
    Ticks ownTime(const Mark& end, Ticks own, Ticks lacking) const {
        if (!changes_.network || (end.piece != Piece::Message && end.piece != Piece::Collective)) return own;
        if (network().isIdeal) return lacking;
        const double before = end.exchange ? recorded_.cost(*end.exchange) : 0;
        if (before <= 0) return own;
        lacking = std::min(lacking, own);
        const double share = network().cost(*end.exchange) / before;
        return lacking + static_cast<Ticks>(std::llround(static_cast<double>(own - lacking) * share));
    }

    void arrive(std::uint32_t number, Ticks time) {
        for (;;) {
            Coming& meeting = meetings_[number];
            meeting.last = std::max(meeting.last, time);
            if (++meeting.arrivals != graph_.meetings[number].arrivals) return;
            wake(meeting.waiters);
            time = meeting.last;
            number = graph_.meetings[number].next;
            if (number == kNone) return;
        }
    }

    static std::uint64_t mixed(std::uint64_t fingerprint, std::uint64_t value) {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
        fingerprint = (fingerprint ^ value) * kOdd;
        return fingerprint ^ (fingerprint >> 29U);
    }

    const RunGraph& graph_;
    const Network& recorded_;
    const Changes& changes_;
    Wanted wanted_;
    Timing result_;
    std::vector<Place> places_;                ///< by location
    std::vector<std::vector<Ticks>> awaited_;  ///< by location: the times of those marks, as far as they came
    std::vector<std::uint32_t> waiters_;       ///< by location: the first of those who wait for it
    std::vector<std::uint32_t> nextWaiter_;    ///< by location: the one behind it in its list
    std::vector<Coming> meetings_;
    std::vector<std::uint32_t> ready_;
};

}  // namespace

Timing retime(const RunGraph& graph, const Network& recorded, const Changes& changes, Wanted wanted) {
    return Retiming(graph, recorded, changes, wanted).run();
}

RetimedClock::RetimedClock(const LocationGraph& graph, const PackedTicks& shifts,
                           const LocationScales& scales)
    : next_(graph.marks), shifts_(shifts), scales_(scales) {
    if (!next_.isAtEnd()) shift_ = shifts_.next();
}

void RetimedClock::pass() {
    last_ = next_->time;
    now_ = static_cast<double>(timeOfNext());
    next_.next();
    if (next_.isAtEnd()) return;
    shift_ += shifts_.next();
    scales_.moveTo(next_->slice);
}

/// A call that took no time may wait now: its end is passed only by an event within it, or behind it.
bool RetimedClock::isPassed(const Mark& mark, Ticks recorded, NodeId node) const {
    if (mark.time != recorded) return mark.time < recorded;
    return mark.piece == Piece::Work || mark.node == replay::kOutside || mark.node == node;
}

Ticks RetimedClock::at(std::uint64_t, Ticks recorded, NodeId node) {
    while (!next_.isAtEnd() && isPassed(*next_, recorded, node)) pass();
    const auto passed = static_cast<double>(std::max<Ticks>(0, recorded - last_));
    if (next_.isAtEnd()) {
        now_ += passed;
    } else if (next_.position() == 0) {
        now_ = static_cast<double>(recorded + shift_);
    } else {
        const Mark& next = *next_;
        const auto end = static_cast<double>(timeOfNext());
        const auto left = static_cast<double>(std::max<Ticks>(1, next.time - last_));
        now_ += next.piece == Piece::Work ? passed * scales_.of(node.index()) : (end - now_) * passed / left;
        now_ = std::min(now_, end);
    }
    last_ = std::max(last_, recorded);
    return static_cast<Ticks>(std::llround(now_));
}

Ticks RetimedClock::later(Ticks recorded) const {
    return static_cast<Ticks>(std::llround(now_)) + std::max<Ticks>(0, recorded - last_);
}

}  // namespace holos::analyzer::predict
