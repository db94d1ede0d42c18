// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "analyzer/matching/collectives.h"

namespace holos::analyzer::patterns {

/// The latest begin and the earliest end among some ranks of a collective operation.
struct Extremes {
    trace::Ticks latestBegin = std::numeric_limits<trace::Ticks>::min();
    trace::Ticks earliestEnd = std::numeric_limits<trace::Ticks>::max();
    const replay::CollectiveRecord* latest = nullptr;  ///< the first one that began last
};

template <class TakesPart>
Extremes extremesOf(matching::CollectiveInstance instance, TakesPart&& takesPart) {
    Extremes extremes;
    for (const replay::CollectiveRecord* record : instance) {
        if (!takesPart(*record)) continue;
        if (extremes.latest == nullptr || record->begin > extremes.latestBegin) {
            extremes.latest = record;
            extremes.latestBegin = record->begin;
        }
        extremes.earliestEnd = std::min(extremes.earliestEnd, record->end);
    }
    return extremes;
}

/// Sets a rank's wait for another one. It does not last longer than the call; where clocks disagree, the
/// other one may begin after it.
inline void waitFor(replay::CollectiveRecord& record, const replay::CollectiveRecord& other) {
    const trace::Ticks together = std::min(other.begin, record.end);
    if (together <= record.blocksFrom && other.begin <= record.end) return;
    record.wait = std::max<trace::Ticks>(0, together - record.blocksFrom);
    record.waitsFor = &other;
}

/// Sets a rank's wait for the last one, and its time to complete after the first one is through.
inline void synchronize(replay::CollectiveRecord& record, const Extremes& extremes) {
    waitFor(record, *extremes.latest);
    record.synchronizes = !record.isNonblocking();
    if (record.isNonblocking()) return;  // each rank completes when it likes
    const trace::Ticks together = std::min(extremes.latestBegin, record.end);
    record.completion = std::max<trace::Ticks>(0, record.end - std::max(extremes.earliestEnd, together));
}

/// The same for all ranks of an operation that need not bring them together. It did so unless somebody left
/// before everybody was there. Returns whether it did.
inline bool synchronizeWhereTogether(matching::CollectiveInstance instance) {
    const Extremes extremes = extremesOf(instance, [](const auto&) { return true; });
    if (extremes.latest == nullptr || extremes.earliestEnd <= extremes.latestBegin) return false;
    for (replay::CollectiveRecord* record : instance) synchronize(*record, extremes);
    return true;
}

}  // namespace holos::analyzer::patterns
