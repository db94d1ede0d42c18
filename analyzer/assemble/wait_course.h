// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/wait_course.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// How the waits of each wait state are spread over the time of the trace; each counts in the part in which
/// its call begins. Wait states without waits are left out. After patterns.
std::vector<algebra::WaitCourse> waitCourses(const patterns::JudgedTrace& run, workers::Workers& workers);

}  // namespace holos::analyzer::assemble
