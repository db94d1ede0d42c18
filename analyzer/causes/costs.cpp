// SPDX-License-Identifier: BSD-3-Clause
//
// Delay costs: what time that a causer took longer than those who waited for it is worth, in waiting time.
//
//   causer   ──┤common point│ a: 5  b: 3 (a wait: 2) │ send ├──       D = (5 − 2) + (3 − 3) = 3, W = 2
//   waiter   ──┤common point│ a: 2  b: 3 │ receive ······· ├──        of its wait w, a is to blame for
//                                        └────── w ──────┘            w · 3 / (D + W), the causer's own wait
//                                                                     for w · 2 / (D + W): an indirect wait
//
#include "analyzer/causes/costs.h"

#include <algorithm>
#include <cassert>

#include "analyzer/causes/blame_reader.h"

namespace holos::analyzer::causes {

namespace {

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

    void book() {
        BlameReader reader(points_, location_, all_);
        DelayList::Reader delays(all_.delays);
        std::uint32_t point = 0;
        for (std::uint32_t left = all_.delays.size(); left != 0; --left, ++point) {
            point = reader.next(point);
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
        addDelays(shortTerm(blame.kind), delays, blame.scale());
        tell(blame, blame.kind, delays, blame.scale());
        later.visit([&](Kind kind, double ticks) {
            if (!handsOn(blame.kind, kind, rules_)) return;
            const double scale = ticks / static_cast<double>(blame.explained());
            addDelays(longTerm(kind), delays, scale);
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

    void addDelays(Cause cause, std::span<const PathTicks> delays, double scale) {
        for (const PathTicks& delay : delays)
            causes_.add(cause, delay.path, scale * static_cast<double>(delay.ticks));
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
            const std::uint32_t path = points[blame.waiter].path;
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
