// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Seconds in calls that ask whether messages have come, such as MPI_Test and MPI_Iprobe, beside waiting for
/// a message that was not sent yet.
double pollingTime(const Measures& measures);

/// Where that is worth saying.
std::optional<Problem> polling(const Measures& measures);

}  // namespace holos::algebra
