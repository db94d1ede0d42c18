// SPDX-License-Identifier: BSD-3-Clause
//
//     recorded   ──┤enter ········│dependency── own time ──┤leave
//     predicted  ──────┤enter ··│dependency── own time ──┤leave
//
#include "analyzer/predict/timing.h"

#include <cmath>

namespace holos::analyzer::predict {

namespace {

class Retiming {
  public:
    Retiming(const RunGraph& graph, const Network& recorded, const Changes& changes)
        : graph_(graph),
          recorded_(recorded),
          changes_(changes),
          next_(graph.locations.size(), 0),
          waiters_(graph.locations.size(), kNone),
          nextWaiter_(graph.locations.size(), kNone),
          meetings_(graph.meetings.size()) {
        result_.times.resize(graph.locations.size());
    }

    Timing run() {
        for (std::uint32_t i = 0; i < graph_.locations.size(); ++i) {
            result_.times[i].resize(graph_.locations[i].marks.size());
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
        findExtent();
        return std::move(result_);
    }

  private:
    struct Coming {
        Ticks last = std::numeric_limits<Ticks>::min();
        std::uint32_t arrivals = 0;
        std::uint32_t waiters = kNone;
    };

    const LocationGraph& graphOf(std::uint32_t location) const { return graph_.locations[location]; }
    bool isDone(std::uint32_t location) const { return next_[location] == graphOf(location).marks.size(); }

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

    /// Otherwise it waits.
    bool canTake(std::uint32_t location) {
        for (const Dependency& dependency : graphOf(location).dependenciesOf(next_[location])) {
            if (hasCome(dependency) || !isIn(location, dependency, network())) continue;
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
                   : next_[dependency.location] > dependency.position;
    }

    /// Only damaged traces, and equal times, make locations wait for each other.
    std::uint32_t firstStuck() const {
        std::uint32_t first = kNone;
        for (std::uint32_t i = 0; i < next_.size(); ++i)
            if (!isDone(i) && (first == kNone || timeOf(i) < timeOf(first))) first = i;
        return first;
    }
    Ticks timeOf(std::uint32_t location) const { return graphOf(location).marks[next_[location]].time; }

    void take(std::uint32_t location) {
        const std::uint32_t mark = next_[location]++;
        const Ticks time = graphOf(location).marks[mark].piece == Piece::Work ? afterWork(location, mark)
                                                                              : afterWait(location, mark);
        result_.times[location][mark] = time;
        const Ticks comes = time + tasksAt(location, mark);
        for (const std::uint32_t meeting : graphOf(location).arrivalsAt(mark)) arrive(meeting, comes);
    }

    static Ticks at(const std::vector<std::vector<Ticks>>& saved, std::uint32_t location,
                    std::uint32_t mark) {
        return location >= saved.size() || saved[location].empty() ? 0 : saved[location][mark];
    }
    Ticks tasksAt(std::uint32_t location, std::uint32_t mark) const {
        return graphOf(location).tasks[mark] - at(changes_.savedTasks, location, mark);
    }
    bool isRemoved(std::uint32_t location, std::uint32_t mark) const {
        return location < changes_.removed.size() && !changes_.removed[location].empty() &&
               changes_.removed[location][mark];
    }

    Ticks afterWork(std::uint32_t location, std::uint32_t mark) const {
        const auto& marks = graphOf(location).marks;
        if (mark == 0) return marks[0].time;
        return result_.times[location][mark - 1] + marks[mark].time - marks[mark - 1].time -
               at(changes_.saved, location, mark);
    }

    /// A thread that others start does so when they do. In a circle, what has not come counts as if it had
    /// not been waited for.
    Ticks afterWait(std::uint32_t location, std::uint32_t mark) const {
        const LocationGraph& graph = graphOf(location);
        const auto dependencies = graph.dependenciesOf(mark);
        if (mark == 0 && dependencies.empty()) return graph.marks[0].time;
        constexpr Ticks kNever = std::numeric_limits<Ticks>::min() / 2;
        Ticks before = kNever;
        Ticks base = kNever;
        if (mark > 0) {
            before = graph.marks[mark - 1].time + graph.tasks[mark - 1];
            base = result_.times[location][mark - 1] + tasksAt(location, mark - 1);
        }
        if (isRemoved(location, mark)) return base;
        for (const Dependency& dependency : dependencies) {
            const bool counts = isIn(location, dependency, network());
            if (counts && !hasCome(dependency)) continue;
            if (isIn(location, dependency, recorded_))
                before = std::max(before, graph_.recorded(graph, dependency));
            if (counts && !isFreed(dependency))
                base = std::max(base, timeOf(dependency) + lagOf(graph, dependency));
        }
        return base + ownTime(graph, mark, graph.marks[mark].time - before);
    }

    const Network& network() const { return changes_.network ? *changes_.network : recorded_; }
    bool isIn(std::uint32_t location, const Dependency& dependency, const Network& network) const {
        return dependency.kind != Dependency::Kind::Rendezvous ||
               (network.isRendezvous(graphOf(location).travelOf(dependency).bytes) && !network.isIdeal);
    }
    bool isFreed(const Dependency& dependency) const {
        return changes_.locksAreFree && dependency.kind == Dependency::Kind::Lock;
    }
    Ticks timeOf(const Dependency& dependency) const {
        return dependency.kind == Dependency::Kind::Meeting
                   ? meetings_[dependency.position].last
                   : result_.times[dependency.location][dependency.position];
    }
    Ticks lagOf(const LocationGraph& graph, const Dependency& dependency) const {
        const Travel travel = graph.travelOf(dependency);
        const bool isOfNetwork =
            dependency.kind == Dependency::Kind::Message || dependency.kind == Dependency::Kind::Rendezvous;
        if (!changes_.network || !isOfNetwork) return travel.lag;
        if (network().isIdeal) return 0;
        const double more = network().transfer(travel.bytes) - recorded_.transfer(travel.bytes);
        return std::max<Ticks>(0, travel.lag + static_cast<Ticks>(std::llround(more)));
    }
    /// What the recorded wait took after all had come.
    Ticks ownTime(const LocationGraph& graph, std::uint32_t mark, Ticks own) const {
        const Mark& end = graph.marks[mark];
        if (!changes_.network || (end.piece != Piece::Message && end.piece != Piece::Collective)) return own;
        if (network().isIdeal) return 0;
        const Exchange* const exchange = graph.exchangeAt(mark);
        const double before = exchange != nullptr ? recorded_.cost(*exchange) : 0;
        if (before <= 0) return own;
        const double share = network().cost(*exchange) / before;
        return static_cast<Ticks>(std::llround(static_cast<double>(own) * share));
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

    /// From the first to the last event of all.
    void findExtent() {
        bool isAny = false;
        for (const std::vector<Ticks>& times : result_.times) {
            if (times.empty()) continue;
            result_.begin = isAny ? std::min(result_.begin, times.front()) : times.front();
            result_.end = isAny ? std::max(result_.end, times.back()) : times.back();
            isAny = true;
        }
    }

    const RunGraph& graph_;
    const Network& recorded_;
    const Changes& changes_;
    Timing result_;
    std::vector<std::uint32_t> next_;        ///< by location: the mark to take
    std::vector<std::uint32_t> waiters_;     ///< by location: the first of those who wait for it
    std::vector<std::uint32_t> nextWaiter_;  ///< by location: the one behind it in its list
    std::vector<Coming> meetings_;
    std::vector<std::uint32_t> ready_;
};

}  // namespace

Timing retime(const RunGraph& graph, const Network& recorded, const Changes& changes) {
    return Retiming(graph, recorded, changes).run();
}

}  // namespace holos::analyzer::predict
