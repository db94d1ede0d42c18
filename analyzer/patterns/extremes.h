// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// The latest start and the earliest end among some ranks of a collective operation.
struct Extremes {
    trace::Ticks latestBegin = std::numeric_limits<trace::Ticks>::min();
    trace::Ticks earliestEnd = std::numeric_limits<trace::Ticks>::max();
    const CollectivePart* latest = nullptr;  ///< the first one that began last
};

/// `takesPart`: says of a record whether its rank is one of them.
template <class TakesPart>
Extremes extremesOf(CollectiveParts instance, TakesPart&& takesPart) {
    Extremes extremes;
    for (const CollectivePart& part : instance) {
        if (!takesPart(*part)) continue;
        if (extremes.latest == nullptr || part->begin > extremes.latestBegin) {
            extremes.latest = &part;
            extremes.latestBegin = part->begin;
        }
        extremes.earliestEnd = std::min(extremes.earliestEnd, part->end);
    }
    return extremes;
}

/// Notes a rank's wait for another one. It does not last longer than the call; where clocks disagree, the
/// other one may begin after it.
inline void waitFor(const CollectivePart& part, const CollectivePart& other) {
    part.wait->needed = other.ref;
    const trace::Ticks together = std::min(other->begin, part->end);
    if (together <= part->blocksFrom && other->begin <= part->end) return;
    part.wait->wait = std::max<trace::Ticks>(0, together - part->blocksFrom);
    part.wait->awaited = other.ref;
}

/// Notes that a rank may have waited until another one came, whether that is known or not.
inline void mayWaitFor(const CollectivePart& part, const CollectivePart& other) {
    const trace::Ticks until = std::min(other->begin, part->end);
    part.wait->possible = static_cast<std::uint64_t>(std::max<trace::Ticks>(0, until - part->blocksFrom));
}

/// The ranks of an operation that need not bring them together, in the order in which they came. Data may
/// pass through others than those that send and receive them. Where a rank polls and lacks a processor
/// meanwhile, as is only known of our own recordings, the times tell what it was: who is through soon after
/// another one came waited for that one. Of others nothing is claimed that the operation does not say. Soon
/// are also two that are through with large data at the same time, where one of them lacked a processor since
/// the other came: the data had not been moved before.
class Comers {
  public:
    explicit Comers(CollectiveParts instance) {
        byBegin_.reserve(instance.size());
        for (const CollectivePart& part : instance) byBegin_.push_back(&part);
        std::ranges::stable_sort(byBegin_, {}, begin);
    }

    /// The one that came last before a rank's end; null where that is itself.
    const CollectivePart* lastBefore(const CollectivePart& part) const {
        const auto later = std::ranges::upper_bound(byBegin_, part->end, {}, begin);
        if (later == byBegin_.begin() || (*(later - 1))->record == part.record) return nullptr;
        return *(later - 1);
    }
    /// The one of `lastBefore`, if the end followed soon; else null.
    const CollectivePart* whoHeldUp(const CollectivePart& part) const {
        const CollectivePart* const last = part.lacked > 0 ? lastBefore(part) : nullptr;
        return last != nullptr && isHeldUpBy(part, *last) ? last : nullptr;
    }
    /// Whether a rank was through soon after it had waited so long.
    static bool endsSoonAfter(const CollectivePart& part, trace::Ticks wait) {
        return wait > 0 && restBehind(part, wait) * kSoon <= wait;
    }
    /// Whether a rank was through soon after the other one came.
    static bool isHeldUpBy(const CollectivePart& part, const CollectivePart& other) {
        const trace::Ticks wait = other->begin - part->blocksFrom;
        if (wait <= 0) return false;
        if (endsSoonAfter(part, wait)) return true;
        if (std::max(bytesOf(part), bytesOf(other)) < kLarge) return false;
        const trace::Ticks rest = restBehind(part, wait);
        const bool areThroughTogether = std::abs(part->end - other->end) * kSoon <= std::max(wait, rest);
        return areThroughTogether && (rest - lackedBehind(part.lacked, wait)) * kSoon <= wait;
    }

  private:
    static std::uint64_t bytesOf(const CollectivePart& part) { return std::max(part->sent, part->received); }
    static trace::Ticks restBehind(const CollectivePart& part, trace::Ticks wait) {
        return part->end - part->blocksFrom - wait;
    }
    static trace::Ticks begin(const CollectivePart* part) { return (*part)->begin; }
    std::vector<const CollectivePart*> byBegin_;
};

/// Notes a rank that held up another one beyond its wait: it came last, and that one was through soon after.
/// Until somebody comes a rank may wait for that in any case: a lack of processors says nothing.
inline void noteWhoHeldUp(CollectiveParts instance) {
    const Comers comers(instance);
    for (const CollectivePart& part : instance) {
        const CollectivePart* const last = comers.lastBefore(part);
        if (last == nullptr) continue;
        const trace::Ticks until = (*last)->begin - part->blocksFrom;
        if (until <= part.wait->wait || part.lacked == 0) continue;
        if (!Comers::isHeldUpBy(part, *last) || Comers::endsSoonAfter(part, part.wait->wait)) {
            mayWaitFor(part, *last);
            continue;
        }
        part.wait->heldUpBy = last->ref;
        part.wait->completion = std::min(part.wait->completion, part->end - (*last)->begin);
    }
}

/// What `find` does, in an operation in which data of most ranks pass through others.
template <void (*find)(CollectiveParts)>
void findWithWhoHeldUp(CollectiveParts instance) {
    find(instance);
    noteWhoHeldUp(instance);
}

/// Notes a rank's wait for the last one, and its time to complete after the first one is through.
inline void synchronize(const CollectivePart& part, const Extremes& extremes) {
    waitFor(part, *extremes.latest);
    part.wait->synchronizes = part->isNonblocking() ? 0 : 1;
    if (part->isNonblocking()) return;  // each rank completes when it likes
    const trace::Ticks together = std::min(extremes.latestBegin, part->end);
    part.wait->completion = std::max<trace::Ticks>(0, part->end - std::max(extremes.earliestEnd, together));
}

/// `synchronize` for all ranks of an operation that need not bring them together. It did so unless somebody
/// left before everybody was there; then some may have waited all the same, and those did that others held
/// up. Returns whether it did.
inline bool synchronizeWhereTogether(CollectiveParts instance) {
    const Extremes extremes = extremesOf(instance, [](const auto&) { return true; });
    if (extremes.latest == nullptr) return false;
    const bool wereTogether = extremes.earliestEnd > extremes.latestBegin;
    if (wereTogether) {
        for (const CollectivePart& part : instance) synchronize(part, extremes);
        return true;
    }
    const Comers comers(instance);
    for (const CollectivePart& part : instance) {
        if (const CollectivePart* const other = comers.whoHeldUp(part))
            waitFor(part, *other);
        else
            mayWaitFor(part, *extremes.latest);
    }
    return false;
}

}  // namespace holos::analyzer::patterns
