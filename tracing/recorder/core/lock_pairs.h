// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/events.h"

/// Locks that are set and unset from the same two places, one pair directly after the other, and never waited
/// for. A program may do that millions of times. All pairs but the first become two records of the kind of
/// polls (`polls.h`), one for each place, with number and time:
///
///     recorded    ┤S├──┤U├──┤S├─┤U├───┤S├──┤U├      three pairs, and o o o outside, h h h while they are
///     held trace       ┤S├──┤U├──────────┤S S├────┤U U├  the first one; then outside, set, held, unset, each
///     as
///                                                   long as all of its kind together
///
/// Each call path keeps its time in that way, and the time between belongs where it did. Which pair was when
/// is not known any more, nor the order of their acquisitions: nobody waited for them.
///
/// Each is recorded for itself where counters are read, where what happens is added up, and where the user
/// asked for it.
namespace holos::tracing {

/// A call that set a lock without waiting, since `markTime`, and ends now. True where it was added to those
/// before; else it is recorded like any other call, and then `noteSet` is called.
bool addSet(RegionRef region, PathRef path) noexcept;
void noteSet(RegionRef region, PathRef path) noexcept;

/// Whether a call from there would be the one that follows the last set.
bool isNextUnset(RegionRef region, PathRef path) noexcept;
/// That call, since `markTime`, ends now. False where something else was recorded in between.
bool addUnset() noexcept;

/// A call that unsets a lock and is recorded for itself, from before its enter to behind its leave.
class RecordedUnset {
  public:
    RecordedUnset(RegionRef region, PathRef path) noexcept;
    ~RecordedUnset();
    RecordedUnset(const RecordedUnset&) = delete;
    RecordedUnset& operator=(const RecordedUnset&) = delete;

  private:
    std::uint64_t place_;
    const std::uint64_t* behindSet_ = nullptr;  ///< null where it does not follow one directly
};

}  // namespace holos::tracing
