// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

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
};

/// A line for each metric, of numbers between tabulators: seconds, then how many waits, where that is known.
std::string waitCourseText(const std::vector<WaitCourse>& courses);

/// Nothing where the experiment has none. Lines that are none are passed over.
std::vector<WaitCourse> waitCoursesOf(const Experiment& experiment);

}  // namespace holos::algebra
