// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

/// Sleep that is not told where others wait for it.
namespace holos::algebra {

/// What is lost as all sleep; as one thread does for which another one waits at its end; or as some do while
/// another one works, each where there is most of it. Of the latter nobody knows whether they wait for that
/// one: by pipes, files, signals, or a flag that they look at now and then.
std::vector<Problem> sleepProblems(const Measures& measures);

/// Who is late because of sleep is told where others wait for that. Of threads of a team nobody knows whether
/// the rest of it is at the same time.
void leaveOutToldSleep(const Measures& measures, std::vector<Problem>& problems);

/// What helps where such a function seems to sleep, but ends by what others do: locks of files, and the end
/// of processes that the program started. Nobody gains what is waited there. Null for others.
const char* remedyOfWaits(std::string_view function);

/// A process or thread that works while another one sleeps.
struct WorkMeanwhile {
    std::string name;
    std::vector<LocationId> locations;
    double works = 0;  ///< seconds of that sleep at least
    double ready = 0;  ///< the same, with times in which it could work and had no processor
    /// ` works meanwhile, for at least 1.20 s`.
    std::string text() const;
};

/// Who surely works, or could do so, for the longest part of the `asleep` seconds that a thread sleeps in one
/// place or in several; nothing where nobody does. Which threads work when is not known, but a run is only so
/// long: what one sleeps and another one works in more than the rest of it is at the same time.
///
///     run      │ start of MPI ━━│                              │
///     sleeper  │                │  ·······················     │
///     worker   │                │      ━━━━━━━━━━━━━━━━━━━━━━━━│
std::optional<WorkMeanwhile> workMeanwhile(const Measures& measures, LocationId sleeper, double asleep);

}  // namespace holos::algebra
