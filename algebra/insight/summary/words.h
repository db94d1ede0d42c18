// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"

/// Words that the texts of summaries have in common.
namespace holos::algebra {

/// `12.3 s`, `45.1 ms`, `730 µs`: three digits.
std::string secondsText(double seconds);
/// `23 %`, and below ten `2.3 %`.
std::string percentText(double percent);
/// `1234`, and from a hundred thousand on three digits and a word: `123 thousand`, `1.23 million`.
std::string numberText(double number);
/// The call path's region as it stands in its caller, such as `MPI_Send @solver.c:120`, with the functions
/// above, the last few where there are many.
std::string pathText(const Experiment& experiment, CallPathId path);
}  // namespace holos::algebra
