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

#include "analyzer/causes/blame_reader.h"

namespace holos::analyzer::causes {

namespace {

class Booking {
  public:
    Booking(const Points& points, const PropagatedCosts& costs, Rules rules, std::uint32_t location,
            const LocationBlames& all, LocationCauses& causes)
        : points_(points),
          costs_(costs),
          rules_(rules),
          location_(location),
          list_(points.byLocation[location]),
          all_(all),
          causes_(causes) {}

    void book() {
        BlameReader reader(points_, location_, all_);
        PackedSlices::Reader delays(all_.delays);
        std::size_t left = all_.delays.size();
        for (std::uint32_t point = reader.next(0); left != 0; point = reader.next(point + 1)) {
            const std::span<const Blame> blames = reader.at(point);
            left -= blames.size();
            reader.addWaits();
            findLater(blames);
            for (std::size_t i = 0; i < blames.size(); ++i) {
                readDelays(delays);
                book(blames[i], later_[i]);
            }
        }
    }

    /// Of each wait of two, the largest part that was handed on to one later wait.
    void bookPropagating() {
        const std::vector<double> handedOn = largestParts();
        for (std::size_t i = 0; const Point& point : list_.others()) {
            const double part = handedOn.empty() ? 0 : handedOn[i++];
            if (point.kind == Kind::LateSender) causes_.add(Cause::PropagatingLateSender, point.path, part);
            if (point.kind == Kind::LateReceiver)
                causes_.add(Cause::PropagatingLateReceiver, point.path, part);
            if (point.kind != Kind::RmaActive && point.kind != Kind::RmaPassive) continue;
            causes_.add(Cause::PropagatingOneSided, point.path, part);
            causes_.add(Cause::TerminalOneSided, point.path, static_cast<double>(point.wait) - part);
        }
    }

  private:
    /// All at once, so that the processor fetches the next ones meanwhile.
    void findLater(std::span<const Blame> blames) {
        later_.clear();
        for (const Blame& blame : blames)
            later_.push_back(blame.waiter.location == kNone ? KnownCosts() : costs_[blame.waiter]);
    }

    /// Those of the next blame.
    void readDelays(PackedSlices::Reader& next) {
        delays_.clear();
        next.visit([&](std::uint32_t path, Ticks ticks) { delays_.push_back({path, ticks}); });
    }

    void book(Blame blame, const KnownCosts& later) {
        if (delays_.empty()) return;
        if (blame.isOfTeam())
            for (const PathTicks& delay : delays_) blame.delay += delay.ticks;
        addDelays(shortTerm(blame.kind), blame.scale());
        later.visit([&](Kind kind, double ticks) {
            if (handsOn(blame.kind, kind, rules_))
                addDelays(longTerm(kind), ticks / static_cast<double>(blame.explained()));
        });
    }

    void addDelays(Cause cause, double scale) {
        for (const PathTicks& delay : delays_)
            causes_.add(cause, delay.path, scale * static_cast<double>(delay.ticks));
    }

    /// By point that is not of a team; empty where nothing was handed on.
    std::vector<double> largestParts() const {
        std::vector<double> largest;
        for (const Blame& blame : all_.kept) {
            if (!blame.isOfTwo() || blame.waits <= 0) continue;
            largest.resize(list_.others().size(), 0.0);
            list_.visitWaits(blame.from + 1, blame.point, [&](std::uint32_t i, Ticks wait) {
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
    std::vector<KnownCosts> later_;  ///< of the waiters of the blames at hand
    std::vector<PathTicks> delays_;  ///< of the blame at hand
};

/// Of each wait of two, the part that its causer's own waits are to blame for.
void bookIndirect(const Points& points, const std::vector<LocationBlames>& blames,
                  std::vector<LocationCauses>& causes) {
    for (const LocationBlames& all : blames)
        for (const Blame& blame : all.kept) {
            if (!blame.isOfTwo()) continue;
            const double indirect = blame.scale() * static_cast<double>(blame.waits);
            const auto book = [&](Cause cause, double ticks) {
                causes[blame.waiter.location].add(cause, points[blame.waiter].path, ticks);
            };
            if (blame.kind == Kind::LateSender) {
                book(Cause::IndirectLateSender, indirect);
            } else if (blame.kind == Kind::LateReceiver) {
                book(Cause::IndirectLateReceiver, indirect);
            } else {
                book(Cause::IndirectOneSided, indirect);
                book(Cause::DirectOneSided, static_cast<double>(blame.waiting) - indirect);
            }
        }
}

}  // namespace

void bookCosts(const Points& points, const std::vector<LocationBlames>& blames, const PropagatedCosts& costs,
               Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes) {
    workers.forEach(blames.size(), [&](std::size_t i) {
        Booking booking(points, costs, rules, static_cast<std::uint32_t>(i), blames[i], causes[i]);
        booking.book();
        booking.bookPropagating();
    });
    bookIndirect(points, blames, causes);
}

}  // namespace holos::analyzer::causes
