// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` that holds the longest waits of each pattern, as the analysis of a trace
/// found them: lines of fields between tabulators, below a heading of their names.
inline constexpr const char* kInstancesFile = "holos.instances";

/// One wait, to look at in the trace.
struct WaitInstance {
    std::string metric;    ///< unique name
    double wait = 0.0;     ///< seconds
    double begin = 0.0;    ///< of the call that waits, seconds since the trace's start
    std::string location;  ///< process and thread, as `MPI Rank 1 / Master thread`
    std::string awaited;   ///< the same; empty where it is not one that is waited for
    std::string callPath;  ///< names from the root between `/`
};

/// In the order of the file, which is by metric and then from long to short. Nothing where the experiment has
/// none; lines that are none are passed over.
std::vector<WaitInstance> instancesOf(const Experiment& experiment);

/// The member of `Experiment::files` that says how waiting is spread over the run, as the analysis of a trace
/// found it: the text of `waitCourseText`.
inline constexpr const char* kWaitCourseFile = "holos.course";

/// Into how many equal parts the run is cut.
inline constexpr std::size_t kCourseParts = 20;

/// What all locations together wait in calls that begin in each part of the run.
struct WaitCourse {
    std::string metric;           ///< unique name of a wait state
    std::vector<double> seconds;  ///< `kCourseParts` of them
    std::vector<double> waits;    ///< how many there are in each; empty in experiments that do not tell
    /// How long that is of which most waiting is: the mean of what waits take, each by its own weight in
    /// seconds. Many short waits beside a few long ones hardly change it. Empty in experiments that do not
    /// tell.
    std::vector<double> typical;
};

/// A line for each metric, of numbers between tabulators: seconds, then how many waits, and how long a
/// typical one is, where that is known.
std::string waitCourseText(const std::vector<WaitCourse>& courses);

/// Nothing where the experiment has none. Lines that are none are passed over.
std::vector<WaitCourse> waitCoursesOf(const Experiment& experiment);

/// The member of `Experiment::files` that says what was waited in each period of a trace that was not
/// recorded as a whole: the text of `periodWaitsText`.
inline constexpr const char* kPeriodsFile = "holos.periods";

/// The periods in which all processes were recorded, such as chosen instances of a phase, by their number.
struct PeriodWaits {
    std::vector<double> lengths;                       ///< seconds of all processes together
    std::map<std::string, std::vector<double>> waits;  ///< by unique name of a wait state: seconds of all
                                                       ///< locations in calls that begin in each period
};

/// A line of lengths, and one for each wait state, of numbers between tabulators.
std::string periodWaitsText(const PeriodWaits& periods);

/// Without periods where the experiment has none, or what is there is none.
PeriodWaits periodWaitsOf(const Experiment& experiment);

/// The member of `Experiment::files` with waits of a whole run that were estimated from a part of it: the
/// text of `waitEstimatesText`.
inline constexpr const char* kEstimatesFile = "holos.estimates";

struct WaitEstimate {
    std::string metric;  ///< unique name of a wait state
    double traced = 0;   ///< seconds in the instances that were traced
    double whole = 0;    ///< in all of them
    /// The value may be so much more or less, in 95 of 100 runs; nothing where that is not known.
    std::optional<double> error;
};

/// Waits in all instances of a phase.
struct WaitEstimates {
    std::string phase;
    double instances = 0;             ///< that each process went through, on average
    std::size_t traced = 0;           ///< of these
    double shareOfTime = 0;           ///< of the phase in the time of its threads, from 0 to 1
    std::vector<WaitEstimate> waits;  ///< the largest first
};

std::string waitEstimatesText(const WaitEstimates& estimates);

/// Nothing where the experiment has none.
std::optional<WaitEstimates> waitEstimatesOf(const Experiment& experiment);

}  // namespace holos::algebra
