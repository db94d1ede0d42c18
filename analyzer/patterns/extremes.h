// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

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

/// Notes a rank's wait for the last one, and its time to complete after the first one is through.
inline void synchronize(const CollectivePart& part, const Extremes& extremes) {
    waitFor(part, *extremes.latest);
    part.wait->synchronizes = part->isNonblocking() ? 0 : 1;
    if (part->isNonblocking()) return;  // each rank completes when it likes
    const trace::Ticks together = std::min(extremes.latestBegin, part->end);
    part.wait->completion = std::max<trace::Ticks>(0, part->end - std::max(extremes.earliestEnd, together));
}

/// `synchronize` for all ranks of an operation that need not bring them together. It did so unless somebody
/// left before everybody was there; then some may have waited all the same. Returns whether it did.
inline bool synchronizeWhereTogether(CollectiveParts instance) {
    const Extremes extremes = extremesOf(instance, [](const auto&) { return true; });
    if (extremes.latest == nullptr) return false;
    const bool wereTogether = extremes.earliestEnd > extremes.latestBegin;
    for (const CollectivePart& part : instance) {
        if (wereTogether)
            synchronize(part, extremes);
        else
            mayWaitFor(part, *extremes.latest);
    }
    return wereTogether;
}

}  // namespace holos::analyzer::patterns
