// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "analyzer/matching/matches.h"
#include "analyzer/memory/packed_records.h"
#include "analyzer/patterns/kind.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::patterns {

using replay::kNone;
using trace::Ticks;

/// A call that ends within this part of a wait behind it, an eighth, was held up by that: chance makes few of
/// them.
inline constexpr Ticks kSoon = 8;
/// Bytes; no MPI library sends so many ahead: they move while both ends are in MPI.
inline constexpr std::uint64_t kLarge = 1U << 16U;
/// Of a call that lacked a processor for so long, and waited first: so long at least it did behind that.
constexpr Ticks lackedBehind(Ticks lacked, Ticks wait) {
    return std::max<Ticks>(0, lacked - wait);
}

/// What a location does at one end of a dependency: a call, or an event that is over at once.
struct End {
    std::uint32_t location = kNone;
    replay::NodeId node;
    std::uint32_t slice = 0;     ///< of the profile: begins with it
    std::uint32_t call = kNone;  ///< position among the location's calls, where it is one of those
    std::uint64_t event = 0;     ///< number in the location
    Ticks begin = 0;
    Ticks leave = 0;           ///< `begin` of an event
    bool isInBarrier = false;  ///< of a team, which had begun before
};

/// A call, and its event that waits or is waited for.
inline End callEnd(const replay::ReplayedTrace& trace, std::uint32_t location, std::uint32_t position,
                   std::uint64_t event) {
    const replay::Call& call = trace.locations[location].messages.calls[position];
    return {location, call.node, call.slice, position, event, call.enter, call.leave};
}

/// The start of a call: it comes before all that the call does, its own waits included.
inline End startOfCall(const replay::ReplayedTrace& trace, std::uint32_t location, std::uint32_t position) {
    const std::uint64_t first = trace.locations[location].messages.calls[position].event;
    return callEnd(trace, location, position, first == 0 ? 0 : first - 1);
}

/// Polls, or pauses between them.
inline End pollsEnd(std::uint32_t location, const replay::PollRecord& polls) {
    return {location, polls.node, polls.slice, kNone, polls.event, polls.begin, polls.end};
}

/// A wait of two that do not meet in a call: one location waits for what another one does. A pattern hands it
/// over as it is. Booking, single waits, causes and predictions need not know of what kind it is.
struct Dependency {
    End waiter;
    End causer;                      ///< in the waiter's location where it waits for nobody else
    const Metric* metric = nullptr;  ///< null where its pattern books it from a record that it has, too
    Ticks wait = 0;                  ///< what there is to explain
    Ticks booked = 0;                ///< the part of it that is the metric's
    Kind kind = Kind::LateSender;
    bool isKnownToScalasca = false;  ///< which asks for the causes of few
    bool isExplained = false;        ///< by the cause of a longer wait that the same event ended
};

/// What was waited for, and for whom: by the records of a trace, which stay as replay left them.

/// Of one rank in a collective operation.
struct CollectiveWait {
    Ticks wait = 0;
    Ticks completion = 0;
    replay::RecordRef awaited;  ///< the part of the rank that was waited for, where that is one
    replay::RecordRef
        heldUpBy;  ///< the last one to come, behind the wait, where it was through soon after that
    replay::RecordRef needed;  ///< that without which it cannot end, whenever that came; none where nobody's
    std::uint64_t synchronizes : 1 = 0;  ///< waits, or others wait for it, in a call that all ranks are in
    std::uint64_t possible : 63 = 0;     ///< ticks: its wait at most, where it is not known to be over sooner
};

/// Of a thread in a barrier of its team.
struct BarrierWait {
    Ticks wait = 0;
    std::uint32_t awaited = kNone;  ///< the location that came last, where it was waited for
    bool isAwaited = false;         ///< this location came last, after others
};

/// Time in a call of MPI or in a barrier of OpenMP, beyond its waits, in which the thread could run and had
/// no processor.
struct Shortage {
    std::uint32_t slice = 0;  ///< of the profile, where the call has this time
    replay::NodeId node;      ///< of the call
    replay::NodeId below;     ///< of waiting for processors in it
    Ticks ticks = 0;
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
          dependencies(memory),
          shortages(memory),
          shortagesOfPolls(memory) {}

    /// Of a location that has nothing.
    explicit LocationWaits(Memory memory)
        : receives(memory),
          completions(memory),
          collectives(memory),
          barriers(memory),
          dependencies(memory),
          shortages(memory),
          shortagesOfPolls(memory) {}

    Records<Ticks> receives;              ///< by receive: for its sender
    Records<Ticks> completions;           ///< by completion of a send: for its receiver
    Records<CollectiveWait> collectives;  ///< by record
    PackedRecords<BarrierWait> barriers;  ///< by record
    Records<Dependency> dependencies;     ///< those of this location for others
    Records<Shortage> shortages;
    Records<Shortage> shortagesOfPolls;  ///< by row of calls that found nothing; no time of these is `below`
    StartupWait init;
    StartupWait finalize;
};

/// Of a trace.
using Waits = ByLocation<LocationWaits>;

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

/// As `replay/team_recorder.h` packs records.
template <class Differences, class Wait>
requires std::is_same_v<std::remove_const_t<Wait>, BarrierWait>
void describe(Differences& differences, Wait& wait, const BarrierWait& before) {
    differences.flag(wait.isAwaited);
    differences.number(wait.wait, 0);
    differences.number(wait.awaited, wait.wait == 0 ? kNone : before.awaited);
}

}  // namespace holos::analyzer::patterns
