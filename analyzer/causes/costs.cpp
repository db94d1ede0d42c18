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

namespace holos::analyzer::causes {

namespace {

class Booking {
  public:
    Booking(const Points& points, const PropagatedCosts& costs, Rules rules, LocationCauses& causes)
        : points_(points), costs_(costs), rules_(rules), causes_(causes) {}

    void book(const LocationBlames& all) {
        for (std::size_t i = 0; i < all.blames.size(); ++i) {
            const Blame& blame = all.blames[i];
            if (blame.explained() <= 0) continue;
            addDelays(shortTerm(blame.kind), blame.scale(), all.delaysOf(i));
            if (blame.waiter.location == kNone) continue;
            const Costs& later = costs_[blame.waiter];
            for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
                if (later[kind] > 0 && handsOn(blame.kind, static_cast<Kind>(kind), rules_))
                    addDelays(longTerm(static_cast<Kind>(kind)),
                              later[kind] / static_cast<double>(blame.explained()), all.delaysOf(i));
        }
    }

    /// Of each wait of two, the largest part that was handed on to one later wait.
    void bookPropagating(std::uint32_t location, const LocationBlames& all) {
        const auto& list = points_.byLocation[location];
        std::vector<double> handedOn(list.size(), 0.0);
        for (const Blame& blame : all.blames) {
            if (!blame.isOfTwo() || blame.waits <= 0) continue;
            for (std::uint32_t i = blame.from + 1; i < blame.point; ++i)
                handedOn[i] = std::max(handedOn[i], blame.scale() * static_cast<double>(list[i].wait));
        }
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            if (list[i].kind == Kind::LateSender)
                causes_.add(Cause::PropagatingLateSender, list[i].path, handedOn[i]);
            if (list[i].kind == Kind::LateReceiver)
                causes_.add(Cause::PropagatingLateReceiver, list[i].path, handedOn[i]);
            if (list[i].kind != Kind::RmaActive && list[i].kind != Kind::RmaPassive) continue;
            causes_.add(Cause::PropagatingOneSided, list[i].path, handedOn[i]);
            causes_.add(Cause::TerminalOneSided, list[i].path,
                        static_cast<double>(list[i].wait) - handedOn[i]);
        }
    }

  private:
    void addDelays(Cause cause, double scale, std::span<const PathTicks> delays) {
        for (const PathTicks& delay : delays)
            causes_.add(cause, delay.path, scale * static_cast<double>(delay.ticks));
    }

    const Points& points_;
    const PropagatedCosts& costs_;
    Rules rules_;
    LocationCauses& causes_;
};

/// Of each wait of two, the part that its causer's own waits are to blame for.
void bookIndirect(const Points& points, const std::vector<LocationBlames>& blames,
                  std::vector<LocationCauses>& causes) {
    for (const LocationBlames& all : blames)
        for (const Blame& blame : all.blames) {
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
        Booking booking(points, costs, rules, causes[i]);
        booking.book(blames[i]);
        booking.bookPropagating(static_cast<std::uint32_t>(i), blames[i]);
    });
    bookIndirect(points, blames, causes);
}

}  // namespace holos::analyzer::causes
