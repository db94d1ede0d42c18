// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/matching/matches.h"
#include "analyzer/memory/packed_records.h"
#include "analyzer/patterns/dependency.h"

/// What was waited for, and for whom: by the records of a trace, which stay as replay left them.
namespace holos::analyzer::patterns {

/// Of one rank in a collective operation.
struct CollectiveWait {
    Ticks wait = 0;
    Ticks completion = 0;
    replay::RecordRef awaited;  ///< the part of the rank that was waited for, where that is one
    replay::RecordRef needed;   ///< that without which it cannot end, whenever that came; none where nobody's
    bool synchronizes = false;  ///< waits, or others wait for it, in a call that all ranks are in
};

/// Of a thread in a barrier of its team.
struct BarrierWait {
    Ticks wait = 0;
    std::uint32_t awaited = kNone;  ///< the location that came last, where it was waited for
    bool isAwaited = false;         ///< this location came last, after others
};

/// In the initialization or the end of MPI.
struct StartupWait {
    Ticks wait = 0;
    Ticks completion = 0;
};

/// Of one location. Where a record has no wait of its own, it is 0.
struct LocationWaits {
    LocationWaits(const replay::LocationTrace& trace, Memory memory)
        : receives(trace.messages.receives.size(), 0, memory),
          completions(trace.messages.completions.size(), 0, memory),
          collectives(trace.messages.collectives.size(), memory),
          barriers(memory),
          dependencies(memory) {}

    Records<Ticks> receives;              ///< by receive: for its sender
    Records<Ticks> completions;           ///< by completion of a send: for its receiver
    Records<CollectiveWait> collectives;  ///< by record
    PackedRecords<BarrierWait> barriers;  ///< by record
    Records<Dependency> dependencies;     ///< those of this location for others
    StartupWait init;
    StartupWait finalize;
};

/// Of a trace, by location.
using Waits = std::vector<LocationWaits>;

/// A trace of which it is known who waits for whom.
struct JudgedTrace {
    const replay::ReplayedTrace& trace;
    const matching::Matches& matches;
    const Waits& waits;
};

/// Calls `visit` with each barrier of a location and its wait.
template <class Visit>
void forEachBarrier(const replay::LocationTrace& location, const LocationWaits& waits, Visit&& visit) {
    auto wait = waits.barriers.begin();
    for (const replay::BarrierRecord& record : location.threads.barriers) {
        visit(record, *wait);
        ++wait;
    }
}

/// As `replay/thread_records.h` packs records.
template <class Differences, class Wait>
requires std::is_same_v<std::remove_const_t<Wait>, BarrierWait>
void describe(Differences& differences, Wait& wait, const BarrierWait& before) {
    differences.flag(wait.isAwaited);
    differences.number(wait.wait, 0);
    differences.number(wait.awaited, wait.wait == 0 ? kNone : before.awaited);
}

}  // namespace holos::analyzer::patterns
