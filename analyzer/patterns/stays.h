// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// A time in which a location is in MPI: a call, or polls that follow each other.
struct Stay {
    Ticks enter = 0;
    Ticks leave = 0;  ///< the latest of all up to here
    std::uint32_t position = 0;
    bool isOfPolls = false;
};

/// All of a location, in the order of time. `withPauses`: who sleeps between tests asks again and again, and
/// is in MPI meanwhile, too.
std::vector<Stay> staysOf(const replay::LocationTrace& location, bool withPauses = false);

/// Before all that a location does in one of its stays.
End startOf(const replay::ReplayedTrace& trace, std::uint32_t location, const Stay& stay);

/// Of a call, or polls, that had no processor for at least so long behind a wait, this part of that is soon.
inline constexpr Ticks kLessSoon = 2;

/// Whether calls that ended so long after a wait were held up by it; `lacked`: how long they had no
/// processor.
constexpr bool endSoonAfter(Ticks after, Ticks wait, Ticks lacked) {
    return after * kSoon <= wait || (after <= lacked && after * kLessSoon <= wait);
}

/// The longest time of a rank outside of MPI while an operation that it has begun was not complete.
struct Absence {
    Ticks begin = 0;
    Stay back;  ///< that ended it
};

/// A time in which a rank was outside of MPI, but for tests now and then that found nothing.
struct RestlessAbsence {
    Absence whole;
    Ticks sinceTest = 0;  ///< how long it was outside right before it was back
};

/// Between the call that begins a nonblocking operation, and its end; nothing where the rank was in MPI all
/// the time, or another thread began the operation. `stays`: those of the record's location.
std::optional<Absence> longestAbsence(const replay::LocationTrace& location, const std::vector<Stay>& stays,
                                      const replay::CollectiveRecord& record);

/// Between the call that begins a nonblocking operation, and its end, in the order of their ends: one for
/// each time that the rank was back, if only for a test. Nothing where it did not test in vain.
std::vector<RestlessAbsence> restlessAbsences(const replay::LocationTrace& location,
                                              const std::vector<Stay>& stays,
                                              const replay::CollectiveRecord& record);

}  // namespace holos::analyzer::patterns
