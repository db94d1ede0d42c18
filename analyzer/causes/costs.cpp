// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/costs.h"

#include <algorithm>
#include <cassert>

#include "analyzer/causes/blame_reader.h"

namespace holos::analyzer::causes {
namespace {

/// Every location is followed from its last point to its first. A causer's interval is left alone until all
/// that blame it for the interval have been passed, because only then their costs are known.
class Propagation {
  public:
    Propagation(const Points& points, const ByLocation<LocationBlames>& blames, Rules rules, Memory memory)
        : points_(points), rules_(rules), costs_(points, memory) {
        sleepers_.resize(blames.size());
        open_.reserve(blames.size());
        for (std::uint32_t i = 0; i < blames.size(); ++i) {
            const std::uint32_t end = points.byLocation[i].size();
            open_.push_back({BlameReader(points, i, blames[i]), end,
                             mayWaitWithin(points.byLocation[i], blames[i]) ? blames[i].delays.size() : 0});
            passed_.push_back(end);
        }
    }

    PropagatedCosts run() {
        for (std::uint32_t i = 0; i < open_.size(); ++i) ready_.push_back(i);
        for (std::uint32_t stuck = 0;;) {
            while (!ready_.empty()) {
                const std::uint32_t location = ready_.back();
                ready_.pop_back();
                follow(location, false);
            }
            // Only in traces that contradict themselves do locations wait for each other in a circle.
            while (stuck < open_.size() && open_[stuck].points == 0) ++stuck;
            if (stuck == open_.size()) return std::move(costs_);
            follow(stuck, true);
        }
    }

  private:
    /// What waiting within an interval costs, for each tick of it.
    struct Factors {
        Costs ofKind{};
        std::uint32_t kinds = 0;  ///< those that cost anything, a bit each

        void add(Kind kind, double factor) {
            if (factor == 0) return;
            ofKind[static_cast<std::size_t>(kind)] += factor;
            kinds |= 1U << static_cast<unsigned>(kind);
        }
    };
    /// Whether a location may wait in an interval that it is blamed for. Many threads only meet with their
    /// teams: they need not be followed.
    static bool mayWaitWithin(const PointList& list, const LocationBlames& all) {
        return !all.kept.empty() || !all.serial.empty() || !list.isOfTeamsInTurn();
    }
    /// How far a location has been followed.
    struct Open {
        BlameReader reader;
        std::uint32_t point;   ///< with the next blames, or behind them
        std::uint32_t points;  ///< that are left and may have blames
    };

    /// Takes intervals from the end as long as their costs are known. `forced`: the first one anyway.
    void follow(std::uint32_t location, bool forced) {
        Open& open = open_[location];
        for (; open.points != 0; --open.points, --open.point) {
            open.point = open.reader.last(open.point);
            pass(location, open.point);
            if (!waitsWithin(location, open)) continue;
            const std::span<const Blame> blames = open.reader.at(open.point);
            if (!forced && mustWait(location, blames)) return;
            forced = false;
            open.reader.addWaits();
            open.reader.addDelays(open.points - 1);
            if (!blames.empty()) hand(location, blames);
        }
        pass(location, 0);
    }

    /// The costs of this point and of those after it are complete.
    void pass(std::uint32_t location, std::uint32_t point) {
        passed_[location] = std::min(passed_[location], point);
        auto& sleepers = sleepers_[location];
        for (std::size_t i = 0; i < sleepers.size();) {
            if (sleepers[i].point < passed_[location]) {
                ++i;
                continue;
            }
            ready_.push_back(sleepers[i].location);
            sleepers[i] = sleepers.back();
            sleepers.pop_back();
        }
    }

    bool mustWait(std::uint32_t location, std::span<const Blame> blames) {
        for (const Blame& blame : blames) {
            const PointRef waiter = blame.waiter;
            if (waiter.location == kNone || passed_[waiter.location] <= waiter.index) continue;
            sleepers_[waiter.location].push_back({waiter.index, location});
            return true;
        }
        return false;
    }

    /// True when the causer itself waits within the intervals that end at its point.
    bool waitsWithin(std::uint32_t location, Open& open) const {
        const std::uint32_t begin = open.reader.begin(open.point) + 1;
        return points_.byLocation[location].nextWait(begin, open.point) < open.point;
    }

    /// From the waits at the end of intervals to those within them.
    void hand(std::uint32_t location, std::span<const Blame> blames) {
        const PointList& list = points_.byLocation[location];
        Factors factors;
        Costs costs{};
        std::size_t begun = 0;  // intervals that begin before point i, and those of them that count
        std::size_t counted = 0;
        const std::uint32_t begin = blames[0].from + 1;
        const std::uint32_t end = blames[0].point;
        costs_.fetch(blames);
        const auto next = [&](std::uint32_t i) { return rules_.asScalasca ? i : list.nextWait(i, end); };
        for (std::uint32_t i = next(begin); i < end; i = next(i + 1)) {
            // Scalasca lets intervals but the longest count only from where the next one begins.
            while (begun < blames.size() && blames[begun].from + 1 <= i) ++begun;
            const bool nextBegins = begun < blames.size() && blames[begun].from == i;
            const bool postponed = rules_.asScalasca && i != begin && !nextBegins;
            for (; !postponed && counted < begun; ++counted) add(factors, blames[counted]);
            const Ticks wait = list.wait(i);
            if (wait <= 0 || factors.kinds == 0) continue;
            visitKinds(factors.kinds, [&](std::size_t kind) {
                costs[kind] = factors.ofKind[kind] * static_cast<double>(wait);
            });
            costs_.add({location, i}, costs, factors.kinds);
        }
    }

    void add(Factors& factors, const Blame& blame) const {
        if (blame.explained() <= 0 || blame.isForgotten) return;
        if (!blame.isOfServant) factors.add(blame.kind, blame.scale());
        if (blame.waiter.location == kNone) return;
        costs_[blame.waiter].visit([&](Kind kind, double later) {
            if (handsOn(blame.kind, kind, rules_))
                factors.add(kind, later / static_cast<double>(blame.explained()));
        });
    }

    struct Sleeper {
        std::uint32_t point;     ///< that has to be passed
        std::uint32_t location;  ///< who waits for that
    };
    const Points& points_;
    Rules rules_;
    PropagatedCosts costs_;
    std::vector<Open> open_;             ///< by location
    std::vector<std::uint32_t> passed_;  ///< by location: points from here on have their costs
    std::vector<std::vector<Sleeper>> sleepers_;
    std::vector<std::uint32_t> ready_;
};

}  // namespace

PropagatedCosts::PropagatedCosts(const Points& points, Memory memory)
    : points_(points), locations_(points.byLocation.size(), memory) {}

KnownCosts PropagatedCosts::operator[](PointRef point) const {
    const Local& local = locations_[point.location];
    return KnownCosts(local.cells.data() + (local.positions.empty() ? 0 : local.positions[point.index]));
}

void PropagatedCosts::fetch(std::span<const Blame> blames) const {
    const auto visit = [&](auto&& ask) {
        for (const Blame& blame : blames)
            if (blame.waiter.location != kNone && !locations_[blame.waiter.location].positions.empty())
                ask(locations_[blame.waiter.location], blame.waiter.index);
    };
    visit([](const Local& local, std::uint32_t i) { __builtin_prefetch(local.positions.data() + i); });
    visit([](const Local& local, std::uint32_t i) {
        __builtin_prefetch(local.cells.data() + local.positions[i]);
    });
}

void PropagatedCosts::add(PointRef point, const Costs& costs, std::uint32_t kinds) {
    Local& local = locations_.own(point.location);
    if (local.positions.empty()) local.positions.resize(points_.byLocation[point.location].size(), 0);
    std::uint32_t& position = local.positions[point.index];
    Costs sum = costs;
    std::uint32_t all = kinds;
    (*this)[point].visit([&](Kind kind, double ticks) {
        sum[static_cast<std::size_t>(kind)] += ticks;
        all |= 1U << static_cast<unsigned>(kind);
    });
    if (all != local.cells[position]) {  // what it had before is left behind
        position = static_cast<std::uint32_t>(local.cells.size());
        local.cells.resize(local.cells.size() + 1 + static_cast<std::size_t>(std::popcount(all)));
        local.cells[position] = all;
    }
    std::size_t next = position;
    visitKinds(all, [&](std::size_t kind) { local.cells[++next] = std::bit_cast<std::uint64_t>(sum[kind]); });
}

PropagatedCosts propagateCosts(const Points& points, const ByLocation<LocationBlames>& blames, Rules rules,
                               Memory memory) {
    return Propagation(points, blames, rules, memory).run();
}

namespace {

//
// Delay costs: what time that a causer took longer than those who waited for it is worth, in waiting time.
//
//   causer   ──┤common point│ a: 5  b: 3 (a wait: 2) │ send ├──       D = (5 − 2) + (3 − 3) = 3, W = 2
//   waiter   ──┤common point│ a: 2  b: 3 │ receive ······· ├──        of its wait w, a is to blame for
//                                        └────── w ──────┘            w · 3 / (D + W), the causer's own wait
//                                                                     for w · 2 / (D + W): an indirect wait
//

/// The causes that tell whether waits of a chain are handed on. Two of them are the rest of a wait state's
/// metric where that is of nothing else, and not measured here.
struct ChainCauses {
    Chain chain;
    Cause propagating;
    std::optional<Cause> terminal;
    Cause indirect;
    std::optional<Cause> direct;
};
constexpr ChainCauses kChains[] = {
    {Chain::LateSender, Cause::PropagatingLateSender, {}, Cause::IndirectLateSender, {}},
    {Chain::LateReceiver, Cause::PropagatingLateReceiver, {}, Cause::IndirectLateReceiver, {}},
    {Chain::OneSided, Cause::PropagatingOneSided, Cause::TerminalOneSided, Cause::IndirectOneSided,
     Cause::DirectOneSided},
    {Chain::Lock, Cause::PropagatingLock, Cause::TerminalLock, Cause::IndirectLock, Cause::DirectLock}};

/// Null where no metric says so.
const ChainCauses* causesOf(Kind kind) {
    const Chain chain = traitsOf(kind).chain;
    if (chain == Chain::None) return nullptr;
    const ChainCauses& causes = kChains[static_cast<std::size_t>(chain)];
    assert(causes.chain == chain);
    return &causes;
}

/// When the slices of a location's profile begin, and the last one ends: what is in them follows each other.
std::vector<Ticks> slicesInTime(const DelayTimes& times, std::uint32_t location) {
    const std::uint32_t slices = times.profiles.slices(location);
    std::vector<Ticks> edges{times.trace.locations[location].begin};
    edges.reserve(slices + std::size_t{1});
    PackedSlices::Reader reader = times.profiles.from(location, 0);
    for (std::uint32_t slice = 0; slice < slices; ++slice) {
        Ticks end = edges.back();
        reader.visit([&end](std::uint32_t, Ticks ticks) { end += ticks; });
        edges.push_back(end);
    }
    return edges;
}

class Booking {
  public:
    Booking(const Points& points, const PropagatedCosts& costs, Rules rules, std::uint32_t location,
            const LocationBlames& all, LocationCauses& causes, const std::optional<DelayTimes>& times)
        : points_(points),
          costs_(costs),
          rules_(rules),
          location_(location),
          list_(points.byLocation[location]),
          all_(all),
          causes_(causes),
          times_(times) {}

    /// Books what delays cost later waits, through the waits that they are measured for. Most of these cost
    /// none: the delays of their points are not even read, unless somebody is to be told of them.
    void book() {
        BlameReader reader(points_, location_, all_);
        DelayList::Reader delays(all_.delays);
        std::uint32_t point = 0;
        for (std::uint32_t left = all_.delays.size(); left != 0; --left, ++point) {
            point = reader.next(point);
            if (!times_ && !reader.isAnyWaiter(point, [&](PointRef waiter) { return costs_.has(waiter); })) {
                delays.skip();
                continue;
            }
            readDelays(delays);
            if (delays_.empty()) continue;
            const std::span<const Blame> blames = reader.at(point);
            ends_.resize(blames.size(), delays_.size());
            reader.addWaits();
            findLater(blames);
            for (std::size_t i = 0; i < blames.size(); ++i) book(blames[i], delaysOf(i), later_[i]);
        }
        tellLast();
    }

    /// Of each wait of two, the largest part that was handed on to one later wait.
    void bookPropagating() {
        const std::vector<double> handedOn = largestParts();
        for (std::size_t i = 0; const Point& point : list_.others()) {
            const double part = handedOn.empty() ? 0 : handedOn[i++];
            const ChainCauses* const chain = causesOf(point.kind);
            if (chain == nullptr) continue;
            causes_.add(chain->propagating, point.path, part);
            if (chain->terminal)
                causes_.add(*chain->terminal, point.path, static_cast<double>(point.wait) - part);
        }
    }

  private:
    void findLater(std::span<const Blame> blames) {
        later_.clear();
        costs_.fetch(blames);
        for (const Blame& blame : blames)
            later_.push_back(blame.waiter.location == kNone ? KnownCosts() : costs_[blame.waiter]);
    }

    /// Reads the delays of the next point; the ends are those of the blames before the last one that has any.
    void readDelays(DelayList::Reader& next) {
        delays_.clear();
        ends_.clear();
        next.visit([&](std::size_t blame, std::uint32_t path, Ticks ticks) {
            ends_.resize(blame, delays_.size());
            delays_.push_back({path, ticks});
        });
    }
    std::span<const PathTicks> delaysOf(std::size_t blame) const {
        const std::size_t begin = blame == 0 ? 0 : ends_[blame - 1];
        return {delays_.data() + begin, ends_[blame] - begin};
    }

    void book(Blame blame, std::span<const PathTicks> delays, const KnownCosts& later) {
        if (delays.empty()) return;
        if (blame.isOfTeam())
            for (const PathTicks& delay : delays) blame.delay += delay.ticks;
        if (!blame.isOfServant) tell(blame, blame.kind, delays, blame.scale());
        later.visit([&](Kind kind, double ticks) {
            if (!handsOn(blame.kind, kind, rules_)) return;
            const double scale = ticks / static_cast<double>(blame.explained());
            causes_.addAll(longTerm(kind), delays, scale);
            tell(blame, kind, delays, scale);
        });
    }

    /// The costs of one interval are told together.
    void tell(const Blame& blame, Kind kind, std::span<const PathTicks> delays, double scale) {
        if (!times_) return;
        const std::uint32_t end =
            blame.point == list_.size() ? times_->profiles.slices(location_) : list_.slice(blame.point);
        if (told_.first != blame.firstSlice || told_.end != end || told_.kind != kind) {
            tellLast();
            told_ = {kind, blame.firstSlice, end};
        }
        for (const PathTicks& delay : delays) told_.cost += scale * static_cast<double>(delay.ticks);
    }
    void tellLast() {
        if (told_.cost <= 0) return;
        if (edges_.empty()) edges_ = slicesInTime(*times_, location_);
        times_->tell(location_, told_.kind, edges_[told_.first], edges_[told_.end], told_.cost);
        told_.cost = 0;
    }

    /// By point that is not of a team; empty where nothing was handed on.
    std::vector<double> largestParts() const {
        std::vector<double> largest;
        for (const Blame& blame : all_.kept) {
            if (!blame.isOfTwo() || blame.waits <= 0) continue;
            largest.resize(list_.others().size(), 0.0);
            list_.visitWaits(blame.from + 1, blame.point, [&](std::uint32_t i, Ticks wait, std::uint32_t) {
                if (list_.isOfTeam(i)) return;
                double& part = largest[list_.otherRank(i)];
                part = std::max(part, blame.scale() * static_cast<double>(wait));
            });
        }
        return largest;
    }

    const Points& points_;
    const PropagatedCosts& costs_;
    Rules rules_;
    std::uint32_t location_;
    const PointList& list_;
    const LocationBlames& all_;
    LocationCauses& causes_;
    /// Of slices.
    struct Told {
        Kind kind{};
        std::uint32_t first = 0;
        std::uint32_t end = 0;
        double cost = 0;
    };
    const std::optional<DelayTimes>& times_;
    std::vector<Ticks> edges_;       ///< of the slices, in time; empty: not needed yet
    Told told_;                      ///< that is still to be told
    std::vector<KnownCosts> later_;  ///< of the waiters of the blames at hand
    std::vector<PathTicks> delays_;  ///< of the blames at hand
    std::vector<std::size_t> ends_;  ///< by blame: of its delays
};

/// Of each wait of two, the part that its causer's own waits are to blame for.
void bookIndirect(const Points& points, const ByLocation<LocationBlames>& blames,
                  std::vector<LocationCauses>& causes) {
    for (const LocationBlames& all : blames)
        for (const Blame& blame : all.kept) {
            const ChainCauses* const chain = causesOf(blame.kind);
            if (chain == nullptr) continue;
            const double indirect = blame.scale() * static_cast<double>(blame.waits);
            LocationCauses& here = causes[blame.waiter.location];
            const std::uint32_t path = points.byLocation[blame.waiter.location].path(blame.waiter.index);
            here.add(chain->indirect, path, indirect);
            if (chain->direct) here.add(*chain->direct, path, static_cast<double>(blame.waiting) - indirect);
        }
}

}  // namespace

void bookCosts(const Points& points, const ByLocation<LocationBlames>& blames, const PropagatedCosts& costs,
               Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes,
               const std::optional<DelayTimes>& times) {
    workers.forEach(blames.size(), [&](std::size_t i) {
        Booking booking(points, costs, rules, static_cast<std::uint32_t>(i), blames[i], causes[i], times);
        booking.book();
        booking.bookPropagating();
    });
    bookIndirect(points, blames, causes);
}

}  // namespace holos::analyzer::causes
