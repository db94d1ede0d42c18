// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// All of a location, in the order of time. Who sleeps between two tests is in the polls of these meanwhile.
std::vector<Stay> staysOf(const replay::LocationTrace& location);

/// Before all that a location does in one of its stays.
End startOf(const replay::ReplayedTrace& trace, std::uint32_t location, const Stay& stay);

/// Of a call, or polls, that had no processor for at least so long behind a wait, this part of that is soon.
inline constexpr Ticks kLessSoon = 2;

/// Whether calls that ended so long after a wait were held up by it; `lacked`: how long they had no
/// processor.
constexpr bool endSoonAfter(Ticks after, Ticks wait, Ticks lacked) {
    return after * kSoon <= wait || (after <= lacked && after * kLessSoon <= wait);
}

/// A time of a location outside of MPI, but for tests now and then that found nothing.
struct Absence {
    Ticks begin = 0;
    Stay back;            ///< that ended it
    Ticks sinceTest = 0;  ///< how long it was outside right before it was back
    Ticks length() const { return back.enter - begin; }
};

/// Between two times, the last one first, each without any test. `stays`: all of a location.
std::vector<Absence> absencesOf(const std::vector<Stay>& stays, Ticks begin, Ticks end);

/// Tests of a location that is outside of MPI otherwise. A call of others that ends meanwhile may have waited
/// for one of them; which one is not known.
struct TestsMeanwhile {
    Ticks since = 0;  ///< when it left MPI
    Ticks begin = 0;  ///< of the first of them
    Ticks until = 0;  ///< when it was back in MPI behind the last
    Ticks apart = 0;
};

/// Of a location that tests in vain now and then.
struct RestlessAbsences {
    std::vector<Absence> all;  ///< one for each time that it was back, if only for the first test of a row
    std::vector<TestsMeanwhile> tests;
};

/// Between two times, in the order of time. `stays`: all of the location.
RestlessAbsences restlessAbsencesOf(const replay::LocationTrace& location, const std::vector<Stay>& stays,
                                    Ticks begin, Ticks end);

}  // namespace holos::analyzer::patterns
